import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { EmailStatus } from '../domain/email.ts';

/** As the operator is shown them and the quote store is told of them. */
export const NOTIFICATION_STATUSES: Readonly<Record<EmailStatus, NotificationStatus>> = {
  pending: NotificationStatus.PENDING,
  sent: NotificationStatus.SENT,
  failed: NotificationStatus.FAILED,
};
