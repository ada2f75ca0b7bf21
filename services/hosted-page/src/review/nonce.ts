import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId, newId } from '@pfq/kit/ids';

/** What a review page is for. */
export type Reviewed = {
  /** SHA-256 of the link's token. */
  readonly linkHash: Uint8Array;
  readonly optionId: string;
};

/** Proofs that a form came from a review page of ours; each carries the id of the change that its form may make. */
export type ReviewNonces = {
  readonly issue: (reviewed: Reviewed, nowMs: number) => string;
  /** The change id; null where the nonce is not one of ours for this link and option, or no longer or not yet counts. */
  readonly read: (nonce: string, reviewed: Reviewed, nowMs: number) => string | null;
};

/** "chg_…", milliseconds since 1970, HMAC-SHA256 in base64url. */
const NONCE = /^(?<changeId>\w{26})\.(?<issuedAt>\d{13})\.(?<signature>[\w-]{43})$/;
const LIFETIME_MS = 86_400_000;
/** Another process may have issued it, by a clock of its own. */
const CLOCKS_APART_MS = 60_000;
const KEY_BYTES = 32;

/** The first secret signs; all of them are accepted. */
export function reviewNonces(secrets: readonly [string, ...string[]]): ReviewNonces {
  const [newest, ...older] = secrets;
  const newestKey = deriveKey(newest);
  const keys = [newestKey, ...older.map(deriveKey)];
  return {
    issue(reviewed, nowMs) {
      const head = `${newId('chg_', nowMs)}.${Math.floor(nowMs)}`;
      return `${head}.${sign(head, reviewed, newestKey)}`;
    },
    read(nonce, reviewed, nowMs) {
      const { changeId = '', issuedAt = '', signature = '' } = NONCE.exec(nonce)?.groups ?? {};
      const ageMs = nowMs - Number(issuedAt);
      if (!isId('chg_', changeId) || ageMs > LIFETIME_MS || ageMs < -CLOCKS_APART_MS) return null;
      const isSigned = keys.some((key) => isSame(signature, sign(`${changeId}.${issuedAt}`, reviewed, key)));
      return isSigned ? changeId : null;
    },
  };
}

/** The option comes last: what stands before it has no line break, so that no two nonces sign the same text. */
function sign(head: string, { linkHash, optionId }: Reviewed, key: Buffer): string {
  return createHmac('sha256', key)
    .update(`${head}\n${Buffer.from(linkHash).toString('hex')}\n${optionId}`)
    .digest('base64url');
}

/** Compared as text: the last character of a signature has bits to spare, which decoding would pass over. */
function isSame(signature: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
}

function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'pfq review page', KEY_BYTES));
}
