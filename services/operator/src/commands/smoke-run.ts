import { ServiceError } from '@pfq/kit/errors';
import type { Clients } from '../clients.ts';
import { CommandFailure, describeFailure, Stopped } from '../failure.ts';
import { explainRates, makeOwnKey, type OwnKey } from './smoke-agency.ts';
import { readPriced, requirePage, requireSame, smokeDeal, type PricedQuote } from './smoke-quote.ts';
import { askWeb, objectOf, unexpected, type WebAnswer } from './smoke-web.ts';

/** One thing that was tried; `says` is what was found, or what failed. */
export type Step = {
  readonly step: string;
  readonly passed: boolean;
  readonly duration_ms: number;
  readonly says: string;
};

/** `quoteId` is null where none was made. */
export type Report = { readonly passed: boolean; readonly quoteId: string | null; readonly steps: readonly Step[] };

export type Smoke = {
  readonly api: URL;
  /** Of hosted pages; the path is that of the quote's own link. */
  readonly hosted: URL;
  /** The key to use, or how the operator makes one. */
  readonly access: { readonly key: string } | { readonly clients: Pick<Clients, 'agencies' | 'pricing'> };
  readonly showProgress: (progress: string) => void;
  readonly stopping: AbortSignal;
};

type Take = <T>(step: string, work: () => Promise<T>, say: (result: T) => string) => Promise<T>;

/** Prices a quote, reads it back and opens its page. What fails is in the report, and ends it; throws Stopped, or what is a bug. */
export async function runSmoke(smoke: Smoke): Promise<Report> {
  const { access } = smoke;
  const { steps, take } = recordSteps(smoke.showProgress);
  let quoteId: string | null = null;
  let ownKey: OwnKey | null = null;
  try {
    if ('clients' in access) {
      const make = () => makeOwnKey(access.clients.agencies);
      ownKey = await take('prepare', make, ({ agencyId }) => `a key of ${agencyId}`);
    }
    const key = 'key' in access ? access.key : (ownKey?.secret ?? '');
    await take('authenticate', () => authenticate(smoke, key), String);
    const quote = await take('price', () => price(smoke, key), sayPriced);
    quoteId = quote.id;
    await take(
      'read',
      () => readBack(smoke, key, quote),
      () => 'it is what it was when it was made',
    );
    await take(
      'page',
      () => openPage(smoke, quote),
      ({ text }) => `every option, in ${text.length} characters`,
    );
  } catch (error) {
    requireExpected(error);
  } finally {
    if (ownKey && 'clients' in access) {
      const { id: keyId } = ownKey;
      const revoke = () => access.clients.agencies.revokeKey({ keyId });
      await take('tidy', revoke, () => `${keyId} is revoked`).catch(requireExpected);
    }
  }
  return { passed: steps.every(({ passed }) => passed), quoteId, steps };
}

function recordSteps(showProgress: Smoke['showProgress']): { readonly steps: readonly Step[]; readonly take: Take } {
  const steps: Step[] = [];
  const take: Take = async (step, work, say) => {
    showProgress(step);
    const startedMs = performance.now();
    const note = (passed: boolean, says: string) =>
      steps.push({ step, passed, duration_ms: Math.round(performance.now() - startedMs), says });
    try {
      const result = await work();
      note(true, say(result));
      return result;
    } catch (error) {
      note(false, describeFailure(error));
      throw error;
    }
  };
  return { steps, take };
}

/** A live key is found out before it makes anything. */
async function authenticate({ api, stopping }: Smoke, key: string): Promise<string> {
  const answer = await askWeb(placeIn(api, '/v1/whoami'), { key, stopping });
  const { livemode, api_version: version } = objectOf(answer, 200);
  if (livemode !== false) throw unexpected(answer, 'the key is a live one, and this test wants one of test mode');
  return `API version ${String(version)}`;
}

async function price({ api, access, stopping }: Smoke, key: string): Promise<PricedQuote> {
  const answer = await askWeb(placeIn(api, '/v1/quotes'), { key, body: smokeDeal(new Date()), stopping });
  if (answer.status !== 503) return readPriced(answer);
  const rates =
    'clients' in access ? await explainRates(access.clients.pricing) : 'Is a rate sheet loaded? pfq rates show';
  throw unexpected(answer, `nothing is priced. ${rates}`);
}

function sayPriced({ id, optionIds }: PricedQuote): string {
  return `${id} with ${optionIds.length} options whose amounts add up`;
}

async function readBack({ api, stopping }: Smoke, key: string, quote: PricedQuote): Promise<void> {
  requireSame(await askWeb(placeIn(api, `/v1/quotes/${quote.id}`), { key, stopping }), quote);
}

async function openPage({ hosted, stopping }: Smoke, quote: PricedQuote): Promise<WebAnswer> {
  const answer = await askWeb(new URL(new URL(quote.hostedUrl).pathname, hosted), { stopping });
  requirePage(answer, quote);
  return answer;
}

/** The API may be below a path. */
function placeIn(base: URL, path: string): URL {
  return new URL(base.pathname.replace(/\/$/, '') + path, base);
}

/** What the report tells. */
function requireExpected(error: unknown): void {
  const isTold = (error instanceof CommandFailure && !(error instanceof Stopped)) || error instanceof ServiceError;
  if (!isTold) throw error;
}
