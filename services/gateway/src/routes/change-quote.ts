import type { CallOptions } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import { newId } from '@pfq/kit/ids';
import { failureOfRead } from '@pfq/kit/rpc/status';
import { untilCertain } from '@pfq/kit/rpc/until-certain';
import { defaultBrokerOf } from '../domain/access.ts';
import type { Answer } from './answer.ts';
import type { AcceptedRequest, EndpointDeps, Write } from './endpoint.ts';
import { readQuote, wantedQuote } from './read-quote.ts';

/** A change that is being made: which quote, under which id, and how to call the quote store for it. */
export type Change = {
  readonly wanted: ReturnType<typeof wantedQuote> & { readonly changeId: string };
  readonly carryOut: <T>(attempt: (call: CallOptions) => Promise<T>) => Promise<T>;
};

const GIVE_UP_TIMEOUT_MS = 3_000;

/** A write that changes the quote of the request's path, once it is sure that the key can see it. Throws NOT_FOUND. */
export async function prepareChange(
  accepted: AcceptedRequest,
  deps: EndpointDeps,
  make: (change: Change) => Promise<Answer>,
): Promise<Write> {
  const { access, caller, remainingMs } = accepted;
  const headers = callerHeaders(caller);
  const { quoteId } = await readQuote(accepted, deps);
  const changeId = newId('chg_', access.now.getTime());
  const doubt = `change ${changeId} of quote ${quoteId} may or may not be made`;
  return {
    broker: defaultBrokerOf(access),
    writeId: changeId,
    perform: () =>
      make({
        wanted: { ...wantedQuote(accepted), changeId },
        carryOut: (attempt) => untilCertain({ attempt: (call) => attempt({ headers, ...call }), remainingMs, doubt }),
      }),
    async giveUp(writeId) {
      const call = { headers, timeoutMs: Math.min(GIVE_UP_TIMEOUT_MS, remainingMs()) };
      await deps.quoteStore.voidQuoteChange({ quoteId, changeId: writeId }, call).catch((error: unknown) => {
        throw failureOfRead(error);
      });
    },
  };
}
