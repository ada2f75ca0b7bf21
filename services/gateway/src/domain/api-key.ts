import { checksum, isBase62 } from '@pfq/kit/ids';
import type { Mode } from './agency.ts';

const PREFIXES = { live: 'pfq_live_', test: 'pfq_test_' } as const;
const CHECKSUM_LENGTH = 6;

/** Number of random base62 characters in a key. */
export const KEY_RANDOM_LENGTH = 43;

/** Prefix, 43 random characters, and a checksum over both, so that a typing error is found without a look-up. */
export function makeApiKey(mode: Mode, random: string): string {
  const body = PREFIXES[mode] + random;
  return body + checksum(body);
}

/** The mode of a well-formed key; null for any other text. */
export function modeOfApiKey(key: string): Mode | null {
  const mode = key.startsWith(PREFIXES.live) ? 'live' : key.startsWith(PREFIXES.test) ? 'test' : null;
  if (mode === null || key.length !== PREFIXES[mode].length + KEY_RANDOM_LENGTH + CHECKSUM_LENGTH) return null;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  const wellFormed = isBase62(body.slice(PREFIXES[mode].length)) && checksum(body) === key.slice(-CHECKSUM_LENGTH);
  return wellFormed ? mode : null;
}
