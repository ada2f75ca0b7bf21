import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { Clock } from '@pfq/kit/clock';
import { newId, randomBase62 } from '@pfq/kit/ids';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { AgencyAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import {
  dateProblem,
  emailProblem,
  nameProblem,
  refuseField,
  requireId,
  requireNoProblems,
  scopeProblems,
} from '../domain/admin-fields.ts';
import { KEY_RANDOM_LENGTH, makeApiKey } from '../domain/api-key.ts';
import type { AgencyStore, BrokerStore, KeyStore } from '../storage/store.ts';
import {
  BROKER_CHANGES,
  KEY_TYPES,
  MODES,
  NEW_BROKER_STATUSES,
  toAgency,
  toBroker,
  toKey,
  wordFor,
} from './agency-messages.ts';

type AgencyAdminDeps = {
  readonly agencies: AgencyStore;
  readonly brokers: BrokerStore;
  readonly keys: KeyStore;
  readonly clock: Clock;
};
type AgencyAdmin = ServiceImpl<typeof AgencyAdminService>;

/** What an agency's admin and the operator may do, each change under the name of whoever asked for it. */
export function agencyAdminRoutes(deps: AgencyAdminDeps): RpcRoutes {
  return (router) =>
    router.service(AgencyAdminService, { ...agencyMethods(deps), ...brokerMethods(deps), ...keyMethods(deps) });
}

function agencyMethods({ agencies, clock }: AgencyAdminDeps) {
  return {
    async createAgency({ name }, context) {
      requireNoProblems([nameProblem('name', name)]);
      return { agency: toAgency(await agencies.create({ id: newId('agy_', clock()), name }, actor(context))) };
    },
    async listAgencies() {
      return { agencies: (await agencies.list()).map(toAgency) };
    },
    async switchAgency({ agencyId, liveEnabled: live, testEnabled: test }, context) {
      requireId('agy_', agencyId);
      if (live === undefined && test === undefined)
        refuseField('REQUIRED', 'live_enabled', 'Say live_enabled, test_enabled or both.');
      return { agency: toAgency(await agencies.switch({ agencyId, live, test }, actor(context))) };
    },
  } satisfies Partial<AgencyAdmin>;
}

function brokerMethods({ brokers, clock }: AgencyAdminDeps) {
  return {
    async registerBroker({ agencyId, email, name, status }, context) {
      requireId('agy_', agencyId);
      requireNoProblems([nameProblem('name', name), emailProblem('email', email)]);
      const word = wordFor(NEW_BROKER_STATUSES, status, 'status');
      const broker = { id: newId('brk_', clock()), agencyId, email, name, status: word };
      return { broker: toBroker(await brokers.register(broker, actor(context))) };
    },
    async setBrokerStatus({ agencyId, email, status }, context) {
      requireId('agy_', agencyId);
      requireNoProblems([emailProblem('email', email)]);
      const change = { agencyId, email, status: wordFor(BROKER_CHANGES, status, 'status') };
      return { broker: toBroker(await brokers.setStatus(change, actor(context))) };
    },
    async listBrokers({ agencyId }) {
      requireId('agy_', agencyId);
      return { brokers: (await brokers.list(agencyId)).map(toBroker) };
    },
  } satisfies Partial<AgencyAdmin>;
}

function keyMethods({ keys, clock }: AgencyAdminDeps) {
  return {
    async createKey({ agencyId, mode, type, brokerEmail, scopes, name, expiresOn }, context) {
      requireId('agy_', agencyId);
      requireNoProblems([
        emailProblem('broker_email', brokerEmail),
        ...scopeProblems('scopes', scopes),
        nameProblem('name', name),
        dateProblem('expires_on', expiresOn),
      ]);
      const kind = { mode: wordFor(MODES, mode, 'mode'), type: wordFor(KEY_TYPES, type, 'type') };
      const secret = makeApiKey(kind.mode, randomBase62(KEY_RANDOM_LENGTH));
      const key = {
        id: newId('key_', clock()),
        agencyId,
        ...kind,
        secret,
        brokerEmail,
        scopes: [...new Set(scopes)],
        name,
        expiresOn: expiresOn ?? null,
      };
      return { key: toKey(await keys.create(key, actor(context))), secret };
    },
    async listKeys({ agencyId }) {
      requireId('agy_', agencyId);
      return { keys: (await keys.list(agencyId)).map(toKey) };
    },
    async revokeKey({ keyId }, context) {
      requireId('key_', keyId);
      return { key: toKey(await keys.revoke(keyId, actor(context))) };
    },
  } satisfies Partial<AgencyAdmin>;
}

function actor(context: HandlerContext): string {
  return actorOf(context.requestHeader);
}
