import type { Task } from '@pfq/kit/jobs';
import type { Logger } from '@pfq/kit/log';
import { annotate } from '@pfq/kit/telemetry/spans';
import { readPublishJob } from '../storage/publish-job.ts';
import type { QuoteStore } from '../storage/store.ts';
import type { Delivery } from './delivery.ts';
import { interestEvent } from './interest-event.ts';

type Parts = {
  readonly store: Pick<QuoteStore, 'find'>;
  readonly delivery: Pick<Delivery, 'deliver'>;
  readonly logger: Logger;
};

/** The job that tells of an interest. It may run again after it has told: whoever hears of it knows events by their ids. */
export function publishInterest({ store, delivery, logger }: Parts): Task {
  return async (payload, { number: attempt }) => {
    const { tenant, quoteId, telling } = readPublishJob(payload);
    const { eventId, requestId } = telling;
    annotate({ 'pfq.request.id': requestId, 'pfq.event.id': eventId, 'pfq.quote.id': quoteId });
    annotate({ 'pfq.agency.id': tenant.agencyId, 'pfq.mode': tenant.mode });
    const ids = { request_id: requestId, event_id: eventId, quote_id: quoteId };
    const quote = await store.find(quoteId, { tenant, brokerId: undefined });
    if (quote?.interest?.eventId !== eventId) {
      // Job and interest were stored together, so somebody has removed the interest, and there is nothing to tell.
      logger.error(ids, 'event given up: its interest is gone');
      return;
    }
    try {
      const event = interestEvent(quote, quote.interest, { agencyId: tenant.agencyId, telling });
      await delivery.deliver(event, { quoteId, caller: { requestId, tenant } });
    } catch (error) {
      logger.warn({ ...ids, attempt }, 'event not published yet');
      throw error;
    }
    logger.info(ids, 'event published');
  };
}
