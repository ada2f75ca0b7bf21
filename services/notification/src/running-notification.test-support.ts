import type { TestContext } from 'node:test';
import { createClient } from '@connectrpc/connect';
import { callerHeaders, callerOf, tenantOf } from '@pfq/kit/caller';
import type { Caller } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import type { Database } from '@pfq/kit/postgres';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { serveRpc } from '@pfq/kit/rpc/server';
import type { RpcServer } from '@pfq/kit/rpc/server';
import { NotificationAdminService, NotificationService } from '@pfq/proto/notification/v1/notification_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { NotificationStatus, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { RecordBrokerNotificationRequest } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { makeDatabase } from '../../../tests/support/database.ts';
import { startSmtp } from '../../../tests/support/smtp.ts';
import { until } from '../../../tests/support/until.ts';
import type { NotificationConfig } from './config.ts';
import { logger, SECONDS } from './notification.test-support.ts';
import { start } from './server.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-notification-tests';
export const AS_OPERATOR = { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'the tests' }) };
export const MAIL_FROM = { name: 'Quotes', address: 'quotes@agency.example' };

export type Told = RecordBrokerNotificationRequest & { readonly caller: Caller };

/** What a service under test works with: a database, a mail server, and a quote store that remembers what it was told. */
export async function openScene(t: TestContext) {
  const stops: (() => Promise<void>)[] = [];
  // Before the database goes, whose own clean-up is registered later.
  t.after(() => Promise.all(stops.map((stop) => stop())));
  const [made, smtp, quoteStore] = await Promise.all([makeDatabase(t), startSmtp(), startQuoteStore()]);
  t.after(async () => {
    await smtp.stop();
    await quoteStore.goAway();
  });
  const config = (changes: Partial<NotificationConfig> = {}): NotificationConfig => ({
    databaseUrl: made.url,
    databasePoolSize: 10,
    migrateOnStart: true,
    listenHost: '127.0.0.1',
    rpcTlsDir: null,
    connectionAgeMs: 300_000,
    rpcPort: 0,
    operatorToken: OPERATOR_TOKEN,
    logLevel: 'error',
    logFormat: 'json',
    smtpUrl: { host: '127.0.0.1', port: smtp.port, isTlsFromStart: false, credentials: null },
    smtpTls: 'never',
    mailFrom: MAIL_FROM,
    eventsUrl: null,
    quoteStoreUrl: `grpc://127.0.0.1:${quoteStore.port}`,
    portalUrl: 'https://portal.example',
    mailGiveUpAfterHours: 48,
    ...changes,
  });
  return {
    ...made,
    smtp,
    quoteStore,
    config,
    start: async (changes: Partial<NotificationConfig> = {}) => {
      const service = await start(config(changes));
      const clients = clientsOf(service.port);
      let isStopped = false;
      const stop = async () => {
        if (isStopped) return;
        isStopped = true;
        clients.close();
        await service.stop();
      };
      stops.push(stop);
      return { ...clients, stop };
    },
    /** The mails that came about an event, by their Message-ID. */
    mailsOf: ({ eventId }: Event) => smtp.received.filter(({ raw }) => raw.includes(`<${eventId}@`)),
  };
}

export function clientsOf(port: number) {
  const transport = createRpcTransport(`grpc://127.0.0.1:${port}`, null);
  const notification = createClient(NotificationService, transport);
  return {
    accept: (event: Event) =>
      notification.acceptEvent({ event }, { headers: callerHeaders({ requestId: event.requestId }) }),
    notification,
    admin: createClient(NotificationAdminService, transport),
    close: () => transport.close(),
  };
}

async function startQuoteStore() {
  const told: Told[] = [];
  let answer: 'take' | 'never' | 'unknown' = 'take';
  const listen = (port: number): Promise<RpcServer> =>
    serveRpc({
      host: '127.0.0.1',
      port,
      operatorToken: OPERATOR_TOKEN,
      logger,
      routes: (router) =>
        void router.service(QuoteStoreService, {
          ...NOT_ASKED,
          async recordBrokerNotification(request, context) {
            if (answer === 'unknown') throw new ServiceError('NOT_FOUND', { message: 'There is no such quote.' });
            told.push({ ...request, caller: { ...callerOf(context), tenant: tenantOf(context) } });
            if (answer === 'never') await new Promise(() => {});
            return {};
          },
        }),
      tls: null,
      connectionAgeMs: null,
    });
  let server = await listen(0);
  const { port } = server;
  return {
    port,
    told,
    behave: (wanted: typeof answer) => void (answer = wanted),
    goAway: () => server.stop(),
    async comeBack() {
      server = await listen(port);
    },
    untilTold: (event: Event, status: NotificationStatus) =>
      until(() => told.some((one) => one.eventId === event.eventId && one.status === status), SECONDS),
  };
}

/** Makes every job due that waits for its time, and has workers look. */
export async function bringForward(database: Database): Promise<void> {
  await until(async () => (await database.write(BRING_FORWARD, [])).length > 0, SECONDS);
  await database.write(`SELECT pg_notify('jobs:insert', '{"count":5}')`, []);
}

const BRING_FORWARD = `
  SELECT id FROM graphile_worker.reschedule_jobs(
    ARRAY(SELECT j.id FROM graphile_worker.jobs j WHERE j.run_at > now()), run_at => now())`;

function notAsked(): never {
  throw new Error('nobody asks for this');
}

const NOT_ASKED = {
  createQuote: notAsked,
  getQuote: notAsked,
  replaceHostedLink: notAsked,
  expressTestInterest: notAsked,
  voidQuote: notAsked,
  voidQuoteChange: notAsked,
};
