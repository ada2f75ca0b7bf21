import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import type { Task } from '@pfq/kit/jobs';
import type { Logger } from '@pfq/kit/log';
import { fromWireError } from '@pfq/kit/rpc/status';
import type { QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Email } from '../domain/email.ts';
import { readEmailJob } from '../storage/email-jobs.ts';
import type { EmailStore } from '../storage/store.ts';
import { NOTIFICATION_STATUSES } from '../wire/notification-statuses.ts';
import { annotateWith, idsOf } from './email-ids.ts';

type Parts = {
  readonly store: Pick<EmailStore, 'find'>;
  readonly quoteStore: Pick<Client<typeof QuoteStoreService>, 'recordBrokerNotification'>;
  readonly logger: Logger;
};

const TIMEOUT_MS = 5_000;

/** The job that tells the quote store how an email stands now. Telling it again, or late, changes nothing there. */
export function recordOutcome({ store, quoteStore, logger }: Parts): Task {
  return async (payload, { number: attempt }) => {
    const email = await store.find(readEmailJob(payload));
    if (email === null || email.revision === 0) return;
    const { status, reason, revision } = email;
    const ids = idsOf(email);
    annotateWith(email);
    try {
      await tell(quoteStore, email);
    } catch (error) {
      const failure = fromWireError(error);
      if (failure instanceof ServiceError && failure.code === 'NOT_FOUND') {
        // The event came from there, so somebody has removed the quote, and there is nothing to record it on.
        logger.error(ids, 'outcome given up: its quote is gone');
        return;
      }
      logger.warn({ ...ids, attempt }, 'outcome not recorded yet');
      throw failure;
    }
    logger.info({ ...ids, status, reason, revision }, 'outcome recorded');
  };
}

async function tell(quoteStore: Parts['quoteStore'], email: Email): Promise<void> {
  const { agencyId, mode, requestId, quoteId, eventId, revision, status, reason, statusAt } = email;
  const caller = { requestId, tenant: { agencyId, mode } };
  await quoteStore.recordBrokerNotification(
    {
      quoteId,
      eventId,
      revision,
      status: NOTIFICATION_STATUSES[status],
      ...(reason !== null && { reason }),
      at: timestampFromDate(statusAt),
    },
    { headers: callerHeaders(caller), timeoutMs: TIMEOUT_MS },
  );
}
