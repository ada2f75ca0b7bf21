import { randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TIME_LENGTH = 9;
const RANDOM_LENGTH = 13;

/** Prefixes of ids whose body is 22 base62 characters: nine of time in microseconds, thirteen random. */
type IdPrefix = 'qte_' | 'req_' | 'agy_' | 'brk_' | 'key_' | 'app_' | 'pol_' | 'chg_' | 'evt_';

/** A new id that sorts by creation time, so that indexes grow at one end: `qte_0Uz3kQ9aX…`. */
export function newId(prefix: IdPrefix, nowMs: number): string {
  return firstIdAt(prefix, nowMs) + randomBase62(RANDOM_LENGTH);
}

/** The lowest text that an id made at this time or later can be: ids below it are older. */
export function firstIdAt(prefix: IdPrefix, nowMs: number): string {
  return prefix + base62(BigInt(Math.floor(nowMs * 1000)), TIME_LENGTH);
}

export function isId(prefix: IdPrefix, text: string): boolean {
  return (
    text.length === prefix.length + TIME_LENGTH + RANDOM_LENGTH &&
    text.startsWith(prefix) &&
    isBase62(text.slice(prefix.length))
  );
}

/** Uniformly random base62 characters; bytes of 248 and above are passed over, so that no character is favoured. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = nextRandomByte();
    if (byte < 248) text += BASE62.charAt(byte % 62);
  }
  return text;
}

const supply = Buffer.alloc(4_096);
let used = supply.length;

/** Drawn from the system many at a time: asking it for each id costs more than all the rest of an id. */
function nextRandomByte(): number {
  if (used === supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  const byte = supply[used] ?? 0;
  supply[used] = 0;
  used += 1;
  return byte;
}

/** Writes a number in base62, digits before capitals before small letters, with zeros in front up to `length`. */
export function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, '0');
}

export function isBase62(text: string): boolean {
  return /^[0-9A-Za-z]*$/.test(text);
}

/** CRC-32 (IEEE) of the text in six base62 characters: finds typing errors, proves nothing. */
export function checksum(text: string): string {
  return base62(BigInt(crc32(text)), 6);
}
