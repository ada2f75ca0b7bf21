import type { TestContext } from 'node:test';
import type { HandlerContext } from '@connectrpc/connect';
import { callerOf, tenantOf } from '@pfq/kit/caller';
import type { Caller } from '@pfq/kit/caller';
import { serveRpc } from '@pfq/kit/rpc/server';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { NotificationService } from '@pfq/proto/notification/v1/notification_pb';
import { logger } from '../store.test-support.ts';

export type TakenEvent = { readonly event: Event | undefined; readonly caller: Caller };

/** The notification service as far as events get there. Given the port of one that was stopped, it is that one come back. */
export async function startNotification(t: TestContext, { port = 0 } = {}) {
  const taken: TakenEvent[] = [];
  const server = await serveRpc({
    routes: (router) =>
      router.service(NotificationService, {
        acceptEvent({ event }, context: HandlerContext) {
          taken.push({ event, caller: { ...callerOf(context), tenant: tenantOf(context) } });
          return {};
        },
      }),
    host: '127.0.0.1',
    port,
    operatorToken: 'operator-token-of-the-store-tests',
    logger,
    tls: null,
    connectionAgeMs: null,
  });
  t.after(() => server.stop());
  const { port: bound } = server;
  return { taken, port: bound, url: `grpc://127.0.0.1:${bound}`, stop: () => server.stop() };
}
