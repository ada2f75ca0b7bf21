import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ServiceError } from '@pfq/kit/errors';
import { isId } from '@pfq/kit/ids';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { shortened } from '@pfq/kit/texts';
import { RequestAdminService } from '@pfq/proto/gateway/v1/request_admin_pb';
import type { PublicRequestSchema } from '@pfq/proto/gateway/v1/request_admin_pb';
import { requireId } from '../domain/admin-fields.ts';
import type { KeptRequest } from '../domain/kept-request.ts';
import type { RequestStore } from '../storage/request-store.ts';
import type { CounterStore } from '../storage/store.ts';
import { MODES } from './agency-messages.ts';

type RequestAdminDeps = {
  readonly requests: Pick<RequestStore, 'find'>;
  readonly counters: CounterStore;
  /** For how many days requests are kept; 0 where none are. */
  readonly keptDays: number;
};

/** The operator's look at requests to the public API, and at what is counted of them. */
export function requestAdminRoutes({ requests, counters, keptDays }: RequestAdminDeps): RpcRoutes {
  return (router) =>
    router.service(RequestAdminService, {
      async showRequest({ requestId }) {
        const found = isId('req_', requestId) ? await requests.find(requestId) : null;
        if (!found) throw notKept(requestId, keptDays);
        const replays = found.replays.map((replay) => ({
          requestId: replay.requestId,
          receivedAt: timestampFromDate(replay.receivedAt),
        }));
        return { request: toMessage(found.request), replays };
      },
      async resetCounters({ keyId }, context) {
        requireId('key_', keyId);
        return { keyId, ...(await counters.reset(keyId, actorOf(context.requestHeader))) };
      },
    });
}

function notKept(requestId: string, keptDays: number): ServiceError {
  const kept =
    keptDays === 0
      ? 'The gateway keeps no requests (REQUEST_LOG_DAYS is 0).'
      : `Requests to the API are kept for ${keptDays === 1 ? '1 day' : `${keptDays} days`}, from a moment after their answer.`;
  const elsewhere = "Those of the hosted page are found by their id in the services' logs.";
  const message = `There is no request ${shortened(requestId)}. ${kept} ${elsewhere}`;
  return new ServiceError('NOT_FOUND', { message });
}

function toMessage(request: KeptRequest): MessageInitShape<typeof PublicRequestSchema> {
  const { receivedAt, durationUs, errorCode, sender, quoteId, replayOf, traceId, ...rest } = request;
  return {
    ...rest,
    receivedAt: timestampFromDate(receivedAt),
    durationUs: BigInt(durationUs),
    ...(errorCode !== null && { errorCode }),
    ...(sender !== null && { agencyId: sender.agencyId, mode: MODES[sender.mode], keyId: sender.keyId }),
    ...(quoteId !== null && { quoteId }),
    ...(replayOf !== null && { replayOf }),
    ...(traceId !== null && { traceId }),
  };
}
