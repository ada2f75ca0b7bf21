import { ServiceError } from '@pfq/kit/errors';
import { UnreadableEvent } from '@pfq/kit/events';
import { isId } from '@pfq/kit/ids';
import type { Logger } from '@pfq/kit/log';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { NotificationAdminService, NotificationService } from '@pfq/proto/notification/v1/notification_pb';
import type { EmailStore } from '../storage/store.ts';
import { toEmailMessage } from './email-messages.ts';

type Parts = {
  readonly store: Pick<EmailStore, 'list' | 'retry'>;
  readonly accept: (event: Event) => Promise<void>;
  readonly logger: Logger;
};

const USUALLY_LISTED = 100;
const MOST_LISTED = 1_000;

export function notificationRoutes({ store, accept, logger }: Parts): RpcRoutes {
  return (router) => {
    router.service(NotificationService, {
      async acceptEvent({ event }) {
        if (!event) throw new UnreadableEvent('there is none');
        await accept(event);
        return {};
      },
    });
    router.service(NotificationAdminService, {
      async listEmails({ failedOnly, limit: given }) {
        const limit = given === 0 ? USUALLY_LISTED : Math.min(given, MOST_LISTED);
        const emails = await store.list({ failedOnly, limit: limit + 1 });
        return { emails: emails.slice(0, limit).map(toEmailMessage), hasMore: emails.length > limit };
      },
      async retryEmail({ eventId }, context) {
        const actor = actorOf(context.requestHeader);
        const found = isId('evt_', eventId) ? await store.retry(eventId, { actor }) : null;
        if (!found) throw new ServiceError('NOT_FOUND', { message: 'There is no email with this id.' });
        const { email, isRetried } = found;
        const ids = { request_id: email.requestId, event_id: eventId, quote_id: email.quoteId };
        if (isRetried) logger.info({ ...ids, attempts: email.attempts }, 'email is tried again by the operator');
        return { email: toEmailMessage(email) };
      },
    });
  };
}
