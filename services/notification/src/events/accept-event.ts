import type { Logger } from '@pfq/kit/log';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import type { EmailStore } from '../storage/store.ts';
import type { ComposeMessage } from './compose-message.ts';
import { readInterestEvent } from './read-event.ts';

type Parts = {
  readonly store: Pick<EmailStore, 'accept'>;
  readonly compose: ComposeMessage;
  readonly logger: Logger;
};

/** Takes an event for good, however often and by whichever way it comes. Throws UnreadableEvent for one that it never will. */
export function acceptEvent({ store, compose, logger }: Parts): (event: Event) => Promise<void> {
  return async (event) => {
    const read = readInterestEvent(event);
    const { eventId, requestId, traceparent, agencyId, recipient, interest } = read;
    const { quoteId } = interest;
    const message = await compose(read);
    const about = { agencyId, mode: 'live', eventId, quoteId, requestId, traceparent } as const;
    const isNew = await store.accept({ ...about, recipient, message });
    const ids = { request_id: requestId, event_id: eventId, quote_id: quoteId };
    logger.info(ids, isNew ? 'event accepted' : 'event known already');
  };
}
