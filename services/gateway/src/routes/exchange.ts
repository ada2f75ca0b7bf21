import type { ErrorCode } from '@pfq/kit/error-codes';
import type { Access } from '../domain/access.ts';
import type { Match } from './match.ts';

/** What becomes known of a request on its way: the answer's headers tell it, and its log line, its span and what is kept of it. */
export type Exchange = {
  readonly requestId: string;
  readonly startedAt: number;
  /** As sent, not decoded, without the query. */
  readonly path: string;
  version: string;
  match?: Match;
  access?: Access;
  /** The public code of a refusal. */
  code?: ErrorCode;
  /** The quote that the path names, or that was made. */
  quoteId?: string;
  /** The request whose recorded answer it was given. */
  replayOf?: string;
};
