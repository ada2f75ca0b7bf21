import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { Tenant } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import { isId } from '@pfq/kit/ids';
import { annotate } from '@pfq/kit/telemetry/spans';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import {
  InterestSchema,
  NotificationStatus,
  QuoteStatus,
  StoredQuoteSchema,
} from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { CreateQuoteRequest, StoredQuote } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { FIRST_API_VERSION } from '../domain/api-version.ts';
import { statusOf } from '../domain/quote.ts';
import type { Interest, NewQuote, Quote } from '../domain/quote.ts';
import { toParties } from '../messages/parties-message.ts';
import type { Change } from '../storage/store.ts';

export const MODES = { live: Mode.LIVE, test: Mode.TEST } as const;
const STATUSES = {
  active: QuoteStatus.ACTIVE,
  interested: QuoteStatus.INTERESTED,
  expired: QuoteStatus.EXPIRED,
};
const NOTIFICATION_STATUSES = {
  skipped: NotificationStatus.SKIPPED,
  pending: NotificationStatus.PENDING,
  sent: NotificationStatus.SENT,
  failed: NotificationStatus.FAILED,
};

export function toNewQuote(request: CreateQuoteRequest): NewQuote {
  const { snapshot, deal, pricedUnder, parties } = request;
  const isWhole = snapshot !== undefined && deal.length > 0 && pricedUnder.length > 0;
  if (!isWhole || !isId('qte_', request.quoteId)) throw new Error('the new quote is incomplete or its id malformed');
  annotate({ 'pfq.quote.id': request.quoteId });
  return {
    id: request.quoteId,
    brokerId: request.brokerId,
    createdAt: toDate(request.createdAt),
    expiresAt: toDate(request.expiresAt),
    apiVersion: snapshot.apiVersion === '' ? FIRST_API_VERSION : snapshot.apiVersion,
    requestMembers: snapshot.requestMembers,
    pricedMembers: snapshot.pricedMembers,
    deal,
    pricedUnder,
    hostedLinkHash: request.hostedLinkHash,
    parties: parties ? toParties(parties) : null,
  };
}

export function toDate(timestamp: Timestamp | undefined): Date {
  if (!timestamp) throw new Error('a time is missing');
  return timestampDate(timestamp);
}

type ChangeRequest = { readonly quoteId: string; readonly brokerId?: string | undefined; readonly changeId: string };

export function toChange({ quoteId, brokerId, changeId }: ChangeRequest, tenant: Tenant): Change {
  return { id: toChangeId(changeId), quoteId: requireQuoteId(quoteId), visibility: { tenant, brokerId } };
}

export function toChangeId(text: string): string {
  if (!isId('chg_', text)) throw new Error('the id of the change is malformed');
  return text;
}

/** A malformed id is found nowhere; PostgreSQL would choke on some. The span of the call tells any other. */
export function requireQuoteId(text: string): string {
  if (!isId('qte_', text)) notFound();
  annotate({ 'pfq.quote.id': text });
  return text;
}

export function notFound(): never {
  throw new ServiceError('NOT_FOUND', { message: 'There is no such quote.' });
}

export function toStoredQuote(quote: Quote): StoredQuote {
  const { apiVersion, requestMembers, pricedMembers, interest } = quote;
  return create(StoredQuoteSchema, {
    quoteId: quote.id,
    mode: MODES[quote.mode],
    status: STATUSES[statusOf(quote)],
    snapshot: { requestMembers, pricedMembers, apiVersion },
    ...(interest && { interest: toInterestMessage(interest) }),
  });
}

function toInterestMessage({ optionId, note, submittedAt, notification }: Interest) {
  const { status, reason, recipient, at } = notification;
  return create(InterestSchema, {
    optionId,
    ...(note !== null && { note }),
    submittedAt: timestampFromDate(submittedAt),
    brokerNotification: {
      status: NOTIFICATION_STATUSES[status],
      ...(reason !== null && { reason }),
      ...(recipient !== null && { recipient }),
      at: timestampFromDate(at),
    },
  });
}
