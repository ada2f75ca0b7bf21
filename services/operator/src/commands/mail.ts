import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Email } from '@pfq/proto/notification/v1/notification_pb';
import type { Command } from 'commander';
import { present } from '../failure.ts';
import { answerObject, answerPage, toIsoTime, type Row } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';
import { MOST_LISTED, notificationStatusWord, parseLimit, USUALLY_LISTED } from '../words.ts';

const LIST_COLUMNS = [
  'id',
  'status',
  'reason',
  'recipient',
  'quote_id',
  'attempts',
  'created_at',
  'status_at',
  'next_attempt_at',
  'last_error',
];

export function addMailCommands(program: Command, context: Context): void {
  const mail = addNoun(program, 'mail', 'emails to brokers about the responses of insureds');

  addVerb(mail, {
    usage: 'list',
    summary: 'list emails of every agency, newest first',
    example: 'list --failed',
  })
    .option('--failed', 'only those that were given up')
    .option('--limit <number>', `how many at most, up to ${MOST_LISTED}`, parseLimit, USUALLY_LISTED)
    .action(
      answering(context, async ({ failed = false, limit }: { failed?: boolean; limit: number }) => {
        const { mail: notification } = await context.clients();
        const { emails, hasMore } = await notification.listEmails({ failedOnly: failed, limit });
        return answerPage({ rows: emails.map(toRow), columns: LIST_COLUMNS, hasMore });
      }),
    );

  addVerb(mail, {
    usage: 'retry <id>',
    summary: 'send an email that was given up again, unchanged; any other stays as it is',
    example: 'retry evt_0UzKdPq3aXb81Lm2RtWc9Z',
  }).action(
    answering(context, async (id: string) => {
      const { mail: notification } = await context.clients();
      const email = present((await notification.retryEmail({ eventId: id })).email);
      return answerObject(toRow(email), standing(email.status));
    }),
  );
}

function standing(status: NotificationStatus): string {
  return status === NotificationStatus.SENT ? 'It was sent before: nothing is sent again.' : 'It is on its way.';
}

function toRow(email: Email): Row {
  return {
    id: email.eventId,
    agency_id: email.agencyId,
    quote_id: email.quoteId,
    recipient: email.recipient,
    status: notificationStatusWord(email.status),
    reason: email.reason ?? null,
    last_error: email.lastError ?? null,
    attempts: email.attempts,
    created_at: toIsoTime(email.createdAt),
    status_at: toIsoTime(email.statusAt),
    next_attempt_at: toIsoTime(email.nextAttemptAt),
    request_id: email.requestId,
  };
}
