import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { NotificationStatus, QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Interest as StoredInterest, StoredQuote } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Mode } from '../domain/agency.ts';
import type { ApiVersions } from '../versions/api-versions.ts';
import { renderQuote } from './quote-object.ts';
import type { Interest } from './quote-object.ts';

type Showing = {
  readonly mode: Mode;
  readonly hostedUrl: string | null;
  readonly versions: Pick<ApiVersions, 'toCurrent'>;
};

/** The public object of a quote as the store gave it, in the shape of the current version; `hostedUrl` only where a fresh link was issued for this answer. */
export function renderStoredQuote(quote: StoredQuote | undefined, { mode, hostedUrl, versions }: Showing): string {
  if (!quote?.snapshot) throw incomplete();
  const { requestMembers, pricedMembers } = versions.toCurrent(quote.snapshot);
  const head = { id: quote.quoteId, mode, hostedUrl, ...standingOf(quote) };
  return renderQuote(head, utf8Text(requestMembers), utf8Text(pricedMembers));
}

function standingOf({ status, interest }: StoredQuote) {
  if (status === QuoteStatus.INTERESTED) return { status: 'interested', interest: readInterest(interest) } as const;
  if (status === QuoteStatus.ACTIVE) return { status: 'active' } as const;
  if (status === QuoteStatus.EXPIRED) return { status: 'expired' } as const;
  throw new Error(`the stored quote has a status that this release does not know: ${status}`);
}

function readInterest(interest: StoredInterest | undefined): Interest {
  if (!interest?.brokerNotification) throw incomplete();
  const { optionId, note = null, submittedAt, brokerNotification } = interest;
  const { status, reason = null, recipient = null, at } = brokerNotification;
  const notification = { status: readNotificationStatus(status), reason, recipient, at: readTime(at) };
  return { optionId, note, submittedAt: readTime(submittedAt), notification };
}

function readNotificationStatus(status: NotificationStatus): Interest['notification']['status'] {
  if (status === NotificationStatus.SKIPPED) return 'skipped';
  if (status === NotificationStatus.PENDING) return 'pending';
  if (status === NotificationStatus.SENT) return 'sent';
  if (status === NotificationStatus.FAILED) return 'failed';
  throw new Error(`the broker's notification has a status that this release does not know: ${status}`);
}

function readTime(timestamp: Timestamp | undefined): Date {
  if (!timestamp) throw incomplete();
  return timestampDate(timestamp);
}

function incomplete(): Error {
  return new Error('the stored quote is incomplete');
}

/** The bytes as text, without a copy of them. */
export function utf8Text({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
