import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A fresh hosted link: the address for the insured, and the SHA-256 of its token, which is all that is kept. */
export function newHostedLink(hostedBaseUrl: string): { readonly url: string; readonly hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { url: `${hostedBaseUrl}/q/${token}`, hash: createHash('sha256').update(token).digest() };
}
