import { createHmac } from 'node:crypto';

/** What is stored in place of an API key: HMAC-SHA-256 under a secret that is not in the database. */
export function hashApiKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}
