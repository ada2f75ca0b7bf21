import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { BrokerStatus, KeyType } from '@pfq/proto/gateway/v1/admin_pb';
import type { AgencySchema, BrokerSchema, KeySchema } from '@pfq/proto/gateway/v1/admin_pb';
import { refuseField } from '../domain/admin-fields.ts';
import type { Agency, ApiKey, Broker } from '../domain/agency.ts';

export const MODES = { live: Mode.LIVE, test: Mode.TEST } as const;
export const KEY_TYPES = { agency: KeyType.AGENCY, broker: KeyType.BROKER } as const;
export const NEW_BROKER_STATUSES = { active: BrokerStatus.ACTIVE, invited: BrokerStatus.INVITED } as const;
export const BROKER_CHANGES = { active: BrokerStatus.ACTIVE, inactive: BrokerStatus.INACTIVE } as const;
const BROKER_STATUSES = { ...NEW_BROKER_STATUSES, ...BROKER_CHANGES } as const;

/** The word for an enum value. Throws VALIDATION_FAILED for one that is not among `words`. */
export function wordFor<W extends string>(words: Readonly<Record<W, number>>, given: number, param: string): W {
  for (const word in words) if (words[word] === given) return word;
  return refuseField('INVALID_VALUE', param, `${param} must be one of ${Object.keys(words).join(', ')}.`);
}

export function toAgency({ createdAt, ...agency }: Agency): MessageInitShape<typeof AgencySchema> {
  return { ...agency, createdAt: timestampFromDate(createdAt) };
}

export function toBroker({ createdAt, status, ...broker }: Broker): MessageInitShape<typeof BrokerSchema> {
  return { ...broker, status: BROKER_STATUSES[status], createdAt: timestampFromDate(createdAt) };
}

export function toKey(key: ApiKey): MessageInitShape<typeof KeySchema> {
  const { mode, type, scopes, expiresOn, revokedAt, createdAt, ...rest } = key;
  return {
    ...rest,
    mode: MODES[mode],
    type: KEY_TYPES[type],
    scopes: [...scopes],
    ...(expiresOn !== null && { expiresOn }),
    ...(revokedAt !== null && { revokedAt: timestampFromDate(revokedAt) }),
    createdAt: timestampFromDate(createdAt),
  };
}
