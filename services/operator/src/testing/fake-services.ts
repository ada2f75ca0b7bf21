import { create, equals } from '@bufbuild/protobuf';
import { timestampFromDate, timestampMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import { ServiceError } from '@pfq/kit/errors';
import { createLogger } from '@pfq/kit/log';
import { serveRpc, type RpcRoutes } from '@pfq/kit/rpc/server';
import * as application from '@pfq/proto/application/v1/application_pb';
import { AuditAdminService } from '@pfq/proto/audit/v1/audit_pb';
import * as gateway from '@pfq/proto/gateway/v1/admin_pb';
import { RequestAdminService } from '@pfq/proto/gateway/v1/request_admin_pb';
import * as notification from '@pfq/proto/notification/v1/notification_pb';
import * as pricing from '@pfq/proto/pricing/v1/admin_pb';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { AuditedService } from '../clients.ts';
import type { Connection } from '../connection.ts';
import { FakeState } from './fake-state.ts';

const TOKEN = 'token-of-the-fake';
const CREATED_AT = timestampFromDate(new Date('2026-11-20T09:30:00.000Z'));

export type FakeServices = {
  readonly connection: Connection;
  readonly state: FakeState;
  /** Ends one service alone. */
  stopService(name: AuditedService): Promise<void>;
  stop(): Promise<void>;
};

/** The admin services over memory, served as the real ones are, each service on a free port of this machine. */
export async function startFakeServices(): Promise<FakeServices> {
  const state = new FakeState();
  const [gatewayServer, pricingServer, applicationServer, notificationServer] = await Promise.all([
    serve(state, 'gateway', [serveAgencies, serveQuotes, serveRequests]),
    serve(state, 'pricing', [servePricing]),
    serve(state, 'application', [serveApplications]),
    serve(state, 'notification', [serveMail]),
  ]);
  const servers = {
    gateway: gatewayServer,
    pricing: pricingServer,
    application: applicationServer,
    notification: notificationServer,
  };
  const urlOf = (name: AuditedService) => `grpc://127.0.0.1:${servers[name].port}`;
  return {
    connection: {
      gatewayUrl: urlOf('gateway'),
      pricingUrl: urlOf('pricing'),
      applicationUrl: urlOf('application'),
      notificationUrl: urlOf('notification'),
      token: TOKEN,
      tlsDir: null,
    },
    state,
    stopService: (name) => servers[name].stop(),
    async stop() {
      await Promise.all(Object.values(servers).map((server) => server.stop()));
    },
  };
}

type Router = Parameters<RpcRoutes>[0];

function serve(state: FakeState, name: AuditedService, parts: readonly ((router: Router, state: FakeState) => void)[]) {
  return serveRpc({
    routes(router) {
      for (const part of parts) part(router, state);
      serveAudit(router, state, name);
    },
    host: '127.0.0.1',
    port: 0,
    operatorToken: TOKEN,
    logger: createLogger({ service: 'fake', level: 'error', format: 'json' }),
    tls: null,
    connectionAgeMs: null,
  });
}

function serveAgencies(router: Router, state: FakeState): void {
  const findAgency = (id: string) => found(state.agencies.find((agency) => agency.id === id));
  router.service(gateway.AgencyAdminService, {
    createAgency({ name }, context) {
      state.enter(context);
      const id = idOf('agy_', state.agencies.length);
      state.agencies.push(create(gateway.AgencySchema, { id, name, createdAt: CREATED_AT }));
      return { agency: findAgency(id) };
    },
    listAgencies(_, context) {
      state.enter(context);
      return { agencies: state.agencies };
    },
    switchAgency({ agencyId, liveEnabled, testEnabled }, context) {
      state.enter(context);
      const agency = findAgency(agencyId);
      agency.liveEnabled = liveEnabled ?? agency.liveEnabled;
      agency.testEnabled = testEnabled ?? agency.testEnabled;
      return { agency };
    },
    registerBroker({ agencyId, email, name, status }, context) {
      state.enter(context);
      const id = idOf('brk_', state.brokers.length);
      const agency = findAgency(agencyId);
      const parts = { id, agencyId: agency.id, email, name, status, createdAt: CREATED_AT };
      const broker = create(gateway.BrokerSchema, parts);
      state.brokers.push(broker);
      return { broker };
    },
    setBrokerStatus({ agencyId, email, status }, context) {
      state.enter(context);
      const broker = found(state.brokers.find((known) => known.agencyId === agencyId && known.email === email));
      broker.status = status;
      return { broker };
    },
    listBrokers({ agencyId }, context) {
      state.enter(context);
      const { id } = findAgency(agencyId);
      return { brokers: state.brokers.filter((broker) => broker.agencyId === id) };
    },
    createKey({ agencyId, mode, type, brokerEmail, scopes, name, expiresOn }, context) {
      state.enter(context);
      const id = idOf('key_', state.keys.length);
      const parts = { id, agencyId, mode, type, brokerEmail, scopes, name, createdAt: CREATED_AT };
      const key = create(gateway.KeySchema, { ...parts, ...(expiresOn !== undefined && { expiresOn }) });
      state.keys.push(key);
      return { key, secret: `pfq_secret_of_${id}` };
    },
    listKeys({ agencyId }, context) {
      state.enter(context);
      const { id } = findAgency(agencyId);
      return { keys: state.keys.filter((key) => key.agencyId === id) };
    },
    revokeKey({ keyId }, context) {
      state.enter(context);
      const key = found(state.keys.find((known) => known.id === keyId));
      key.revokedAt = CREATED_AT;
      return { key };
    },
  });
}

function serveQuotes(router: Router, state: FakeState): void {
  router.service(gateway.QuoteAdminService, {
    showQuote({ quoteId }, context) {
      state.enter(context);
      return { json: found(state.quotes.get(quoteId)).json };
    },
    verifyQuote({ quoteId }, context) {
      state.enter(context);
      const { differences } = found(state.quotes.get(quoteId));
      return { match: differences.length === 0, differences };
    },
  });
}

function serveRequests(router: Router, state: FakeState): void {
  router.service(RequestAdminService, {
    resetCounters({ keyId }, context) {
      state.enter(context);
      return { keyId, requestsThisMinute: 7, quotesToday: 3 };
    },
    showRequest({ requestId }, context) {
      state.enter(context);
      return found(state.requests.get(requestId));
    },
  });
}

function serveAudit(router: Router, state: FakeState, name: AuditedService): void {
  router.service(AuditAdminService, {
    listEntries({ limit, since, before, target, actor }, context) {
      state.enter(context);
      const [from, end] = [since ? timestampMs(since) : 0, before ? timestampMs(before) : Infinity];
      const entries = state.audit[name].filter((entry) => {
        const atMs = entry.at ? timestampMs(entry.at) : 0;
        return atMs >= from && atMs < end && [entry.target, ''].includes(target) && [entry.actor, ''].includes(actor);
      });
      return { entries: entries.slice(0, limit), hasMore: entries.length > limit };
    },
  });
}

function servePricing(router: Router, state: FakeState): void {
  router.service(pricing.PricingAdminService, {
    loadRateSheet({ json }, context) {
      state.enter(context);
      return { version: state.rateSheets.push(json) };
    },
    getRateSheet(_, context) {
      state.enter(context);
      return { version: state.rateSheets.length, json: found(state.rateSheets.at(-1)) };
    },
    setSettings({ json }, context) {
      state.enter(context);
      return { version: state.settings.push(json) };
    },
    getSettings(_, context) {
      state.enter(context);
      return { version: state.settings.length, json: found(state.settings.at(-1)) };
    },
    loadCarriers({ carriers }, context) {
      state.enter(context);
      state.carriers = carriers;
      return { version: 1, carriers: carriers.length };
    },
    findCarriers({ query }, context) {
      state.enter(context);
      return { carriers: state.carriers.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase())) };
    },
    changeDeclined({ kind, value, declined }, context) {
      state.enter(context);
      const { issuers, coverages } = state.declined;
      const list = kind === pricing.DeclinedKind.ISSUER ? issuers : coverages;
      if (declined) list.add(value);
      else list.delete(value);
      return { version: 1, issuers: [...issuers], coverages: [...coverages] };
    },
  });
}

function serveApplications(router: Router, state: FakeState): void {
  const check = (applications: readonly application.IncomingApplication[], context: HandlerContext) => {
    state.enter(context);
    const details = state.findProblems(applications, context.method.name);
    const [first] = details;
    if (first !== undefined) throw new ServiceError('VALIDATION_FAILED', { message: first.message, details });
  };
  router.service(application.ApplicationAdminService, {
    checkApplications({ applications }, context) {
      check(applications, context);
      return {};
    },
    upsertApplications({ applications }, context) {
      check(applications, context);
      const counts = { created: 0, updated: 0, unchanged: 0 };
      for (const incoming of applications) {
        const id = incoming.application?.id ?? '';
        const known = state.applications.get(id);
        const isSame = known !== undefined && equals(application.IncomingApplicationSchema, known, incoming);
        counts[known === undefined ? 'created' : isSame ? 'unchanged' : 'updated'] += 1;
        state.applications.set(id, incoming);
      }
      return counts;
    },
  });
}

function serveMail(router: Router, state: FakeState): void {
  const { FAILED, PENDING } = NotificationStatus;
  router.service(notification.NotificationAdminService, {
    listEmails({ failedOnly, limit }, context) {
      state.enter(context);
      const chosen = state.emails.filter(({ status }) => !failedOnly || status === FAILED);
      return { emails: chosen.slice(0, limit), hasMore: chosen.length > limit };
    },
    retryEmail({ eventId }, context) {
      state.enter(context);
      const email = found(state.emails.find((known) => known.eventId === eventId));
      if (email.status === FAILED) email.status = PENDING;
      return { email };
    },
  });
}

function idOf(prefix: string, index: number): string {
  return prefix + String(index + 1).padStart(22, '0');
}

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new ServiceError('NOT_FOUND', { message: 'There is no such thing.' });
  return thing;
}
