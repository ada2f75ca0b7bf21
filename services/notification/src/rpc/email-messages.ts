import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EmailSchema } from '@pfq/proto/notification/v1/notification_pb';
import type { Email as EmailMessage } from '@pfq/proto/notification/v1/notification_pb';
import type { Email } from '../domain/email.ts';
import { NOTIFICATION_STATUSES } from '../wire/notification-statuses.ts';

export function toEmailMessage(email: Email): EmailMessage {
  const { eventId, agencyId, quoteId, recipient, attempts, requestId } = email;
  return create(EmailSchema, {
    eventId,
    agencyId,
    quoteId,
    recipient,
    attempts,
    requestId,
    status: NOTIFICATION_STATUSES[email.status],
    ...(email.reason !== null && { reason: email.reason }),
    ...(email.lastError !== null && { lastError: email.lastError }),
    createdAt: timestampFromDate(email.createdAt),
    statusAt: timestampFromDate(email.statusAt),
    ...(email.nextAttemptAt && { nextAttemptAt: timestampFromDate(email.nextAttemptAt) }),
  });
}
