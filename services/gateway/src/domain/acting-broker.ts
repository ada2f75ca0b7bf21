import { emailKey } from '@pfq/kit/email-address';
import { ServiceError } from '@pfq/kit/errors';
import { defaultBrokerOf } from './access.ts';
import type { Access, ActingBroker } from './access.ts';

type FindActiveBroker = (email: string) => Promise<ActingBroker | null>;

/**
 * The broker who will own what a write creates: the key's default broker, or the one named in `broker_email` where the
 * key may name one. Nothing is ever moved to another broker.
 */
export async function chooseActingBroker(
  access: Access,
  named: string | null,
  findActive: FindActiveBroker,
): Promise<ActingBroker> {
  if (named === null) return defaultBrokerOf(access);
  const isDefault = emailKey(named) === emailKey(access.defaultBroker.email);
  if (access.type === 'broker') return isDefault ? defaultBrokerOf(access) : refuseOtherBroker();
  if (isDefault && access.defaultBroker.status === 'active') return defaultBrokerOf(access);
  return (await findActive(named)) ?? refuseInactiveBroker();
}

function refuseOtherBroker(): never {
  throw new ServiceError('ACTING_BROKER_NOT_ALLOWED', {
    message: 'A broker key acts only for its own broker. Leave broker_email out, or use an agency key.',
    param: 'broker_email',
  });
}

function refuseInactiveBroker(): never {
  throw new ServiceError('BROKER_NOT_ACTIVE', {
    message: 'broker_email is not an active broker of this agency. Name an active one, or leave it out.',
    param: 'broker_email',
  });
}
