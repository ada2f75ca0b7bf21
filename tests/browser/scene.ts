import { randomInt } from 'node:crypto';
import { after, afterEach, before } from 'node:test';
import type { Words } from '@pfq/hosted-page/words/en';
import { WORDS } from '@pfq/hosted-page/words/words';
import type { Language } from '@pfq/hosted-page/words/words';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { AMOUNTS } from '../support/amounts.ts';
import { quoteOf } from '../support/api.ts';
import { openChromium } from '../support/chromium.ts';
import { exampleBody } from '../support/examples.ts';
import type { PublicQuote } from '../support/examples.ts';
import { useStack } from '../support/use-stack.ts';
import type { StackOfSuite } from '../support/use-stack.ts';

/** How an insured looks at the page. */
export type Look = {
  /** Of the window, in CSS pixels; below 600 it is a phone's. */
  readonly width: number;
  /** The browser's; the page takes it over. */
  readonly language: Language;
  readonly colors: 'light' | 'dark';
  /** `ours` runs what the page brings; `injected` also what a test brings, past the page's policy. */
  readonly scripts: 'none' | 'ours' | 'injected';
};

export type Visit = {
  readonly page: Page;
  readonly language: Language;
  readonly words: Words;
  /** Every request so far, as `GET http://…`. */
  readonly asked: readonly string[];
  /** What the browser complained about: scripts that failed, and whatever the page's policy forbade. */
  readonly complaints: readonly string[];
  /** Of the page that is shown. */
  readonly status: () => number;
};

/** What an option costs, as the API names it. */
export type Option = { readonly id: string; readonly apr: number; readonly term_months: number } & Readonly<
  Record<(typeof AMOUNTS)[number], string>
>;
export type Mode = 'live' | 'test';
/** A quote as the API gave it, and its link. */
export type Offer = {
  readonly mode: Mode;
  readonly url: string;
  readonly quote: Omit<PublicQuote, 'options' | 'policies'> & {
    readonly options: readonly Option[];
    readonly policies: readonly { readonly total: string }[];
    readonly totals: Readonly<Record<'premium' | 'taxes_and_fees' | 'total', string>>;
  };
};

export type Scene = Pick<StackOfSuite, 'stack' | 'api'> & {
  readonly offer: (mode: Mode, example?: string) => Promise<Offer>;
  /** A browser that has never been here, until the test ends. */
  readonly open: (look?: Partial<Look>) => Promise<Visit>;
};

const USUAL: Look = { width: 390, language: 'en', colors: 'light', scripts: 'none' };
const WIDEST_PHONE = 600;
const PATIENCE_MS = 10_000;

/** One stack and one browser for the tests of a suite. */
export function useScene(): Scene {
  // Every visitor comes from an address of its own, so that one who guesses links does not shut out the others.
  process.env['TRUSTED_PROXIES'] = '1';
  const { stack, api } = useStack();
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  before(async () => {
    browser = await openChromium();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  after(() => browser?.close());
  return {
    stack,
    api,
    async offer(mode, example = 'roofing-contractor') {
      const answer = await api(mode).post(exampleBody(example));
      const quote: Offer['quote'] = JSON.parse(answer.text);
      return { mode, url: quoteOf(answer).hosted_url ?? '', quote };
    },
    async open(look = {}) {
      if (!browser) throw new Error('the browser is not open');
      const wanted = { ...USUAL, ...look };
      const context = await openContext(browser, wanted);
      contexts.push(context);
      return watch(await context.newPage(), wanted.language);
    },
  };
}

function openContext(browser: Browser, { width, language, colors, scripts }: Look): Promise<BrowserContext> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  return browser.newContext({
    viewport: { width, height: 900 },
    isMobile: width < WIDEST_PHONE,
    locale: `${language}-US`,
    colorScheme: colors,
    reducedMotion: 'reduce',
    javaScriptEnabled: scripts !== 'none',
    bypassCSP: scripts === 'injected',
    extraHTTPHeaders: { 'X-Forwarded-For': address },
  });
}

function watch(page: Page, language: Language): Visit {
  const asked: string[] = [];
  const complaints: string[] = [];
  let status = 0;
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) status = response.status();
  });
  page.on('console', (message) => {
    // That a page has a status of 400 or more is no complaint about it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, language, words: WORDS[language], asked, complaints, status: () => status };
}
