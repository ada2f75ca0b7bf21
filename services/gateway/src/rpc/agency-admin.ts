import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@pfq/kit/clock';
import { ServiceError } from '@pfq/kit/errors';
import { newId, randomBase62 } from '@pfq/kit/ids';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { AgencyAdminService, BrokerStatus, KeyType } from '@pfq/proto/gateway/v1/admin_pb';
import type { AgencySchema, BrokerSchema, CreateKeyRequest, KeySchema } from '@pfq/proto/gateway/v1/admin_pb';
import type { Agency, ApiKey, Broker } from '../domain/agency.ts';
import { KEY_RANDOM_LENGTH, makeApiKey } from '../domain/api-key.ts';
import { requireValidFields } from '../domain/new-agency.ts';
import { hashApiKey } from '../storage/key-hash.ts';
import type { AgencyStore } from '../storage/store.ts';

type AgencyAdminDeps = { readonly agencies: AgencyStore; readonly keyPepper: string; readonly clock: Clock };

const MODES = new Map([
  [Mode.LIVE, 'live'],
  [Mode.TEST, 'test'],
] as const);
const STATUSES = new Map([
  [BrokerStatus.INVITED, 'invited'],
  [BrokerStatus.ACTIVE, 'active'],
  [BrokerStatus.INACTIVE, 'inactive'],
] as const);
const KEY_TYPES = new Map([
  [KeyType.AGENCY, 'agency'],
  [KeyType.BROKER, 'broker'],
] as const);

/** What an agency's admin and the operator may do, each change under the name of whoever asked for it. */
export function agencyAdminRoutes(deps: AgencyAdminDeps): RpcRoutes {
  const { agencies, clock } = deps;
  return (router) =>
    router.service(AgencyAdminService, {
      async createAgency({ name }, context) {
        requireValidFields({ name });
        return { agency: toAgency(await agencies.createAgency({ id: newId('agy_', clock()), name }, actor(context))) };
      },
      async listAgencies() {
        return { agencies: (await agencies.listAgencies()).map(toAgency) };
      },
      async switchAgency({ agencyId, liveEnabled, testEnabled }, context) {
        const agency = await agencies.switchAgency(agencyId, { live: liveEnabled, test: testEnabled }, actor(context));
        return { agency: toAgency(agency) };
      },
      async registerBroker({ agencyId, email, name, status }, context) {
        requireValidFields({ name, email });
        const broker = { id: newId('brk_', clock()), agencyId, email, name, status: pick(STATUSES, status, 'status') };
        return { broker: toBroker(await agencies.registerBroker(broker, actor(context))) };
      },
      async setBrokerStatus({ agencyId, email, status }, context) {
        const change = { agencyId, email, status: pick(STATUSES, status, 'status') };
        return { broker: toBroker(await agencies.setBrokerStatus(change, actor(context))) };
      },
      async listBrokers({ agencyId }) {
        return { brokers: (await agencies.listBrokers(agencyId)).map(toBroker) };
      },
      createKey: (request, context) => createKey(request, context, deps),
      async listKeys({ agencyId }) {
        return { keys: (await agencies.listKeys(agencyId)).map(toKey) };
      },
      async revokeKey({ keyId }, context) {
        return { key: toKey(await agencies.revokeKey(keyId, actor(context))) };
      },
    });
}

async function createKey(
  request: CreateKeyRequest,
  context: HandlerContext,
  { agencies, keyPepper, clock }: AgencyAdminDeps,
) {
  const { agencyId, brokerEmail, scopes, name, expiresOn } = request;
  requireValidFields({ name, brokerEmail, scopes, expiresOn });
  const mode = pick(MODES, request.mode, 'mode');
  const secret = makeApiKey(mode, randomBase62(KEY_RANDOM_LENGTH));
  const key = {
    id: newId('key_', clock()),
    agencyId,
    mode,
    hash: hashApiKey(secret, keyPepper),
    type: pick(KEY_TYPES, request.type, 'type'),
    brokerEmail,
    scopes: [...new Set(scopes)],
    name,
    expiresOn: expiresOn ?? null,
  };
  return { key: toKey(await agencies.createKey(key, actor(context))), secret };
}

function actor(context: HandlerContext): string {
  return actorOf(context.requestHeader);
}

function pick<K, V>(values: ReadonlyMap<K, V>, given: K, param: string): V {
  const value = values.get(given);
  if (value === undefined)
    throw new ServiceError('VALIDATION_FAILED', { message: `${param} is missing or unknown.`, param });
  return value;
}

/** The enum value of a domain word; the maps above hold every word. */
function enumOf<K, V>(values: ReadonlyMap<K, V>, word: V): K {
  for (const [key, value] of values) if (value === word) return key;
  throw new Error(`${String(word)} has no enum value`);
}

function toAgency({ createdAt, ...agency }: Agency): MessageInitShape<typeof AgencySchema> {
  return { ...agency, createdAt: timestampFromDate(createdAt) };
}

function toBroker({ createdAt, status, ...broker }: Broker): MessageInitShape<typeof BrokerSchema> {
  return { ...broker, status: enumOf(STATUSES, status), createdAt: timestampFromDate(createdAt) };
}

function toKey({
  mode,
  type,
  scopes,
  expiresOn,
  revokedAt,
  createdAt,
  ...key
}: ApiKey): MessageInitShape<typeof KeySchema> {
  return {
    ...key,
    mode: enumOf(MODES, mode),
    type: enumOf(KEY_TYPES, type),
    scopes: [...scopes],
    ...(expiresOn !== null && { expiresOn }),
    ...(revokedAt !== null && { revokedAt: timestampFromDate(revokedAt) }),
    createdAt: timestampFromDate(createdAt),
  };
}
