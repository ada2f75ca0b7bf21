import type { Logger } from '@pfq/kit/log';
import { currentTrace } from '@pfq/kit/telemetry/spans';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { annotateWith, idsOf } from '../jobs/email-ids.ts';
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
    const { eventId, requestId, agencyId, recipient, interest } = read;
    const { quoteId, submittedAt } = interest;
    const about = { agencyId, mode: 'live', eventId, quoteId, requestId } as const;
    annotateWith(about);
    const message = await compose(read);
    // What is done about it later is part of its acceptance.
    const { traceparent = read.traceparent } = currentTrace();
    const isNew = await store.accept({ ...about, traceparent, recipient, submittedAt, message });
    logger.info(idsOf(about), isNew ? 'event accepted' : 'event known already');
  };
}
