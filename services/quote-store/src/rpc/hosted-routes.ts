import type { HandlerContext } from '@connectrpc/connect';
import { callerOf } from '@pfq/kit/caller';
import { systemClock } from '@pfq/kit/clock';
import { ServiceError } from '@pfq/kit/errors';
import { newId } from '@pfq/kit/ids';
import type { Logger } from '@pfq/kit/log';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { annotate, currentTrace } from '@pfq/kit/telemetry/spans';
import { HostedQuoteService, LinkState } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import type { Telling } from '../domain/interest.ts';
import { partiesOf } from '../domain/parties.ts';
import { toPartiesMessage } from '../messages/parties-message.ts';
import type { LinkedQuote, QuoteStore } from '../storage/store.ts';
import { MODES, toChangeId, toStoredQuote } from './quote-messages.ts';

/** SHA-256. */
const HASH_BYTES = 32;

/** Whoever has the link's hash may; the caller's agency and mode are the quote's own. */
export function hostedQuoteRoutes(store: QuoteStore, logger: Logger): RpcRoutes {
  return (router) => {
    router.service(HostedQuoteService, {
      async readHostedQuote({ hostedLinkHash }) {
        const found = await store.readByLink(requireHash(hostedLinkHash));
        return toLinkMessage(found ?? noSuchLink());
      },
      async expressInterest({ hostedLinkHash, changeId, optionId, note = null }, context) {
        const telling = newTelling(context);
        const response = { changeId: toChangeId(changeId), interest: { optionId, note, telling } };
        const linked = (await store.expressInterestByLink(requireHash(hostedLinkHash), response)) ?? noSuchLink();
        if (linked.link === 'current' && linked.isMadeNow) {
          const { id, interest } = linked.quote;
          const about = { request_id: telling.requestId, event_id: interest?.eventId, quote_id: id };
          logger.info(about, 'interest stored');
        }
        return toLinkMessage(linked);
      },
    });
  };
}

/** How a response will be told of, where it is the one that is stored: as a part of the trace in which it came. */
export function newTelling(context: HandlerContext): Telling {
  const { requestId } = callerOf(context);
  const { traceparent = null } = currentTrace();
  return { eventId: newId('evt_', systemClock()), requestId, traceparent };
}

function toLinkMessage(linked: LinkedQuote) {
  if (linked.link === 'replaced') return { linkState: LinkState.REPLACED, mode: MODES[linked.mode] };
  const { quote } = linked;
  annotate({ 'pfq.quote.id': quote.id });
  const parties = toPartiesMessage(partiesOf(quote));
  return { linkState: LinkState.CURRENT, quote: { quote: toStoredQuote(quote), parties }, mode: MODES[quote.mode] };
}

function requireHash(hash: Uint8Array): Uint8Array {
  return hash.length === HASH_BYTES ? hash : noSuchLink();
}

function noSuchLink(): never {
  throw new ServiceError('NOT_FOUND', { message: 'There is no such link.' });
}
