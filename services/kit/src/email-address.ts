import { flawIn, isLonger } from './texts.ts';

const EMAIL_ADDRESS = /^[^\s\p{Cc}@<>",;:\\()[\]]+@[^\s\p{Cc}@<>",;:\\()[\]]+$/u;
const MAX_LENGTH = 255;

/** Whether a text is one address and nothing else, of at most 255 characters, that can be kept. */
export function isEmailAddress(text: string): boolean {
  return !isLonger(text, MAX_LENGTH) && flawIn(text) === null && EMAIL_ADDRESS.test(text);
}

/** The form in which email addresses are compared: without case. What services keep must agree on it. */
export function emailKey(address: string): string {
  return address.toLowerCase();
}
