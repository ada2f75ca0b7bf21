import { flawIn, isLonger } from './texts.ts';

/** Between dots: nothing that separates, quotes, or cannot be seen. */
const WORD = String.raw`[^\s\p{Cc}\p{Cf}@<>",;:\\()[\].]+`;
const WORDS = String.raw`${WORD}(?:\.${WORD})*`;
const EMAIL_ADDRESS = new RegExp(`^${WORDS}@${WORDS}$`, 'u');
const MAX_LENGTH = 255;

/** Whether a text is one address and nothing else, of at most 255 characters, that can be kept. */
export function isEmailAddress(text: string): boolean {
  return !isLonger(text, MAX_LENGTH) && flawIn(text) === null && EMAIL_ADDRESS.test(text);
}

/** The form in which email addresses are compared: without case. What services keep must agree on it. */
export function emailKey(address: string): string {
  return address.toLowerCase();
}
