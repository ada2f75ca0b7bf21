import { callerOf, tenantOf } from '@pfq/kit/caller';
import type { Logger } from '@pfq/kit/log';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { QuoteStoreAdminService, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { QuoteStore } from '../storage/store.ts';
import { hostedQuoteRoutes, newTelling } from './hosted-routes.ts';
import { toNotificationOutcome } from './notification-outcome.ts';
import { notFound, requireQuoteId, toChange, toChangeId, toNewQuote, toStoredQuote } from './quote-messages.ts';

export function quoteStoreRoutes(store: QuoteStore, logger: Logger): RpcRoutes {
  return (router) => {
    hostedQuoteRoutes(store, logger)(router);
    router.service(QuoteStoreService, {
      async createQuote(request, context) {
        await store.create(tenantOf(context), toNewQuote(request));
        return {};
      },
      async getQuote({ quoteId, brokerId }, context) {
        const visibility = { tenant: tenantOf(context), brokerId };
        const quote = await store.find(requireQuoteId(quoteId), visibility);
        return { quote: toStoredQuote(quote ?? notFound()) };
      },
      async replaceHostedLink(request, context) {
        const change = toChange(request, tenantOf(context));
        return { quote: toStoredQuote(await store.replaceHostedLink(change, request.hostedLinkHash)) };
      },
      async expressTestInterest(request, context) {
        const tenant = tenantOf(context);
        if (tenant.mode !== 'test') throw new Error('a test interest was asked of a live quote');
        const { optionId, note = null } = request;
        const interest = { optionId, note, telling: newTelling(context) };
        return { quote: toStoredQuote(await store.expressInterest(toChange(request, tenant), interest)) };
      },
      async voidQuote({ quoteId }, context) {
        await store.voidQuote(tenantOf(context), requireQuoteId(quoteId));
        return {};
      },
      async voidQuoteChange({ quoteId, changeId }, context) {
        const change = { id: toChangeId(changeId), quoteId: requireQuoteId(quoteId) };
        await store.voidChange(tenantOf(context), change);
        return {};
      },
      async recordBrokerNotification(request, context) {
        const outcome = toNotificationOutcome(request);
        if (!(await store.recordNotification(tenantOf(context), outcome))) notFound();
        const { quoteId, eventId, revision, status, reason } = outcome;
        const ids = { request_id: callerOf(context).requestId, event_id: eventId, quote_id: quoteId };
        logger.info({ ...ids, revision, status, reason }, 'notification recorded');
        return {};
      },
    });
    router.service(QuoteStoreAdminService, {
      async lookUpQuote({ quoteId }) {
        const origin = (await store.lookUp(requireQuoteId(quoteId))) ?? notFound();
        return {
          quote: toStoredQuote(origin.quote),
          agencyId: origin.agencyId,
          brokerId: origin.brokerId,
          deal: origin.deal,
          pricedUnder: origin.pricedUnder,
        };
      },
    });
  };
}
