import { defaultBrokerOf } from '../domain/access.ts';
import type { Answer } from './answer.ts';
import type { AcceptedRequest } from './endpoint.ts';

/** `GET /v1/whoami`: what the key is, and whom it acts as. */
export async function whoami({ access, version }: AcceptedRequest): Promise<Answer> {
  const { email, name } = defaultBrokerOf(access);
  const body = {
    object: 'whoami',
    livemode: access.mode === 'live',
    brokerage: { name: access.agencyName },
    acting_broker: { email, name },
    api_key: { type: access.type, scopes: access.scopes },
    api_version: version,
  };
  return { status: 200, body: JSON.stringify(body) };
}
