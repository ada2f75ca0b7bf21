import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

const FOUND = findChromium(process.env);

/** Why suites that need a browser are skipped; false where there is one. */
export const WITHOUT_CHROMIUM = FOUND === null && 'there is no Chromium, nor does CHROMIUM_PATH name one';

/** It shows pages of ours alone, so that it can do without its sandbox, which refuses root; and it calls nobody by itself. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** A browser without a window. */
export async function openChromium(): Promise<Browser> {
  if (FOUND === null) throw new Error('there is no Chromium: skip what needs one where WITHOUT_CHROMIUM says so');
  return chromium.launch({ executablePath: FOUND, args: [...CHROMIUM_ARGUMENTS] });
}
