import { isId } from '@pfq/kit/ids';
import type { Mode } from './agency.ts';

/** What is kept of a request to the public API for the operator: nothing of what it said. */
export type KeptRequest = {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly method: string;
  /** As `shownPath` shows it. */
  readonly path: string;
  /** Path of the endpoint with `{name}` where a part varies, or `unmatched`. */
  readonly route: string;
  /** 0 where the caller broke off. */
  readonly status: number;
  readonly durationUs: number;
  /** Public code of the refusal. */
  readonly errorCode: string | null;
  /** Whose it was; null where the key is not known. */
  readonly sender: { readonly agencyId: string; readonly mode: Mode; readonly keyId: string } | null;
  /** The quote that it was about, or made. */
  readonly quoteId: string | null;
  readonly apiVersion: string;
  readonly hasIdempotencyKey: boolean;
  /** The request whose recorded answer it was given. */
  readonly replayOf: string | null;
  readonly traceId: string | null;
};

const MAX_PATH_LENGTH = 200;
const PUBLIC_IDS = ['qte_', 'app_', 'req_', 'pol_'] as const;

/** A path without what may be a secret or a name: each part that is neither one of `words` nor a public id is shown as `…`. */
export function shownPath(path: string, words: ReadonlySet<string>): string {
  const isShown = (part: string) => words.has(part) || PUBLIC_IDS.some((prefix) => isId(prefix, part));
  const parts = path.split('/').map((part) => (isShown(part) ? part : '…'));
  return parts.join('/').slice(0, MAX_PATH_LENGTH);
}

/** Whether a request was turned away before anything was done, so that anybody can send any number of such. */
export function isTurnedAway({ sender, status }: Pick<KeptRequest, 'sender' | 'status'>): boolean {
  return status === 401 || status === 429 || (sender === null && status < 500);
}
