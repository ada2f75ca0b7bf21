import { isId } from '@pfq/kit/ids';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { RecordBrokerNotificationRequest } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { NotificationOutcome } from '../storage/store.ts';
import { notFound, requireQuoteId, toDate } from './quote-messages.ts';

export function toNotificationOutcome(request: RecordBrokerNotificationRequest): NotificationOutcome {
  const { revision, status, reason = null } = request;
  const quoteId = requireQuoteId(request.quoteId);
  const eventId = isId('evt_', request.eventId) ? request.eventId : notFound();
  if (revision === 0) throw new Error('what is told of a notification counts from 1');
  const told = { quoteId, eventId, revision, at: toDate(request.at) };
  if (status === NotificationStatus.FAILED && reason) return { ...told, status: 'failed', reason };
  if (status === NotificationStatus.PENDING && reason === null) return { ...told, status: 'pending', reason };
  if (status === NotificationStatus.SENT && reason === null) return { ...told, status: 'sent', reason };
  throw new Error('a notification is pending, sent, or failed for a reason');
}
