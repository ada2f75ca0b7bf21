import { apiOf, errorOf, quoteOf } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { mailsAbout } from '../support/caught-mail.ts';
import { exampleBody } from '../support/examples.ts';
import { confirm, openPage, reviewChoice } from '../support/insured.ts';
import type { Page } from '../support/insured.ts';
import type { OutageStack } from './outage-stack.ts';

/** What an agency's backend or an insured does. */
export const CALLS = ['create', 'read', 'list', 'page', 'tap'] as const;
export type Call = (typeof CALLS)[number];

/** A status, `no connection`, or what is wrong with the answer; and how long it took. */
export type Seen = { readonly outcome: string; readonly seconds: number };
export type SeenByAll = Readonly<Record<Call, Seen>>;

/** What each call gets while nothing is away. */
export const WELL: Readonly<Record<Call, string>> = {
  create: '201',
  read: '200',
  list: '200',
  page: '200',
  tap: '303',
};

/** A quote about which an insured has only to say that they are interested. */
export type Reviewed = { readonly quoteId: string; readonly review: Page };

/** Those who use a stack: they read and look at one quote of their own. */
export type Callers = {
  readonly prepare: () => Promise<Reviewed>;
  readonly tap: (reviewed: Reviewed) => Promise<Seen>;
  /** All calls at once; each tap needs a quote of its own. */
  readonly callAll: (reviewed: Reviewed) => Promise<SeenByAll>;
  /** The same but for the tap, which leaves something behind. */
  readonly areAllServed: () => Promise<boolean>;
  readonly countMails: (quoteId: string) => Promise<number>;
};

const BODY = exampleBody('roofing-contractor');

export async function callersOf({ file, keys }: OutageStack): Promise<Callers> {
  const api = apiOf(file.gateway_url, keys.live);
  const offer = async () => {
    const { id, hosted_url: hostedUrl, recommended_option_id: optionId } = quoteOf(await api.post(BODY));
    if (hostedUrl === null || optionId === null) throw new Error(`the quote ${id} offers nothing`);
    return { id, hostedUrl, optionId };
  };
  const own = await offer();
  const calls = {
    create: () => timed(async () => outcomeOf(await api.post(BODY))),
    read: () => timed(async () => outcomeOf(await api.get(own.id))),
    list: () => timed(async () => outcomeOf(await api.ask('GET', '/v1/applications?limit=1'))),
    page: () => timed(async () => String((await openPage(own.hostedUrl)).status)),
  };
  const tap = ({ review }: Reviewed) => timed(async () => String((await confirm(review)).status));
  return {
    async prepare() {
      const { id, hostedUrl, optionId } = await offer();
      return { quoteId: id, review: await reviewChoice(hostedUrl, optionId) };
    },
    tap,
    async callAll(reviewed) {
      const [create, read, list, page, tapped] = await Promise.all([
        calls.create(),
        calls.read(),
        calls.list(),
        calls.page(),
        tap(reviewed),
      ]);
      return { create, read, list, page, tap: tapped };
    },
    async areAllServed() {
      const seen = await Promise.all(
        (['create', 'read', 'list', 'page'] as const).map(async (call) => (await calls[call]()).outcome === WELL[call]),
      );
      return seen.every(Boolean);
    },
    countMails: async (quoteId) => (await mailsAbout({ file }, quoteId)).length,
  };
}

/** A refusal must say when to come back, in the words of the contract. */
function outcomeOf(answer: Answer): string {
  if (answer.status !== 503) return String(answer.status);
  const isInWords = errorOf(answer).code === 'SERVICE_UNAVAILABLE' && answer.headers.get('Retry-After') === '30';
  return isInWords ? '503' : `503 in other words: ${answer.text}`;
}

async function timed(call: () => Promise<string>): Promise<Seen> {
  const startedMs = performance.now();
  const outcome = await call().catch((error: unknown) => {
    if (isConnectionLost(error)) return 'no connection';
    throw error;
  });
  return { outcome, seconds: (performance.now() - startedMs) / 1000 };
}

/** `fetch` says no more than that it failed; anything else is a mistake of ours, or a breach of the contract. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}
