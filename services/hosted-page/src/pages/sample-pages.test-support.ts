import type { Option, Quote } from '../domain/quote.ts';
import type { AfterSending, FilledIn, Page, Paths, TryAgain } from './page.ts';

const PATHS: Paths = { quote: '/q/token', review: '/q/token/review', interest: '/q/token/interest?lang=en' };

/** Thirty options of plausible amounts; no two options share one that differs between options. */
const OPTIONS: readonly Option[] = [15, 20, 25, 30, 35].flatMap((percent) =>
  [5, 6, 7, 8, 9, 10].map((months) => sampleOption(percent, months)),
);

const RECOMMENDED = OPTIONS.find(({ id }) => id === 'opt_25_10') ?? null;

export const QUOTE: Quote = {
  mode: 'live',
  status: 'active',
  insuredName: 'Bluebonnet Bakery LLC',
  agencyName: 'Hill Country Agency',
  broker: { name: 'Rosa Vega', email: 'rosa@hill-country.example' },
  createdAt: new Date('2026-11-20T15:00:00Z'),
  expiresAt: new Date('2026-12-20T05:30:00Z'),
  premium: '100000.00',
  taxesAndFees: '1234.56',
  total: '101234.56',
  financingStartDate: '2026-12-01',
  policies: [
    { carrierName: 'Pecan Mutual', total: '60000.06' },
    { carrierName: 'Mesquite Casualty', total: '41234.50' },
  ],
  ineligibleBecause: [],
  assumptions: ['AUDITABLE_ASSUMED'],
  warnings: ['VERIFY_MINIMUM_EARNED'],
  options: OPTIONS,
  recommended: RECOMMENDED,
  interest: null,
};

export const INTERESTED: Quote = {
  ...QUOTE,
  status: 'interested',
  interest: { option: OPTIONS[0] ?? sampleOption(15, 5), note: 'Call after 3.', submittedAt: QUOTE.createdAt },
};

export function quotePage(changes: Partial<Quote> = {}): Extract<Page, { kind: 'quote' }> {
  return { kind: 'quote', quote: { ...QUOTE, ...changes }, paths: PATHS, problem: null };
}

export function reviewPage(filledIn: FilledIn | null, changes: Partial<Quote> = {}): Extract<Page, { kind: 'review' }> {
  const option = OPTIONS[7] ?? sampleOption(20, 6);
  return { kind: 'review', quote: { ...QUOTE, ...changes }, paths: PATHS, option, nonce: 'a.nonce', filledIn };
}

function responsePage(after: AfterSending | null, changes: Partial<Quote> = {}) {
  return { kind: 'interested', quote: { ...INTERESTED, ...changes }, after } as const;
}

type Samples<Kind extends Page['kind']> = Readonly<Record<string, Extract<Page, { kind: Kind }>>>;

const PROBLEMS: { readonly [Kind in FilledIn['problem']['kind']]: Extract<FilledIn['problem'], { kind: Kind }> } = {
  'not-confirmed': { kind: 'not-confirmed' },
  'note-too-long': { kind: 'note-too-long', length: 512 },
  'note-unreadable': { kind: 'note-unreadable' },
  'form-outdated': { kind: 'form-outdated' },
  unavailable: { kind: 'unavailable' },
  'unknown-outcome': { kind: 'unknown-outcome' },
};
const AT_LINK: TryAgain = { kind: 'link', path: '/q/token' };
const BY_FORM: TryAgain = {
  kind: 'form',
  path: PATHS.interest,
  fields: new Map([
    ['nonce', 'a.nonce'],
    ['note', 'Kept\n<b>"word for word"</b>'],
  ]),
};
const REQUEST_ID = 'req_0000000000000000000000';

/** By kind, so that a kind of page without a sample is a type error; each by a name for it. */
const SAMPLES: { readonly [Kind in Page['kind']]: Samples<Kind> } = {
  quote: {
    quote: quotePage(),
    'quote of test mode': quotePage({ mode: 'test' }),
    'quote of a time before names were kept': quotePage({
      insuredName: null,
      agencyName: null,
      broker: { ...QUOTE.broker, name: null },
    }),
    'quote with one option': quotePage({ options: OPTIONS.slice(0, 1), recommended: null }),
    'quote without a choice': { ...quotePage(), problem: 'no-choice' },
  },
  review: {
    review: reviewPage(null),
    'review of test mode': reviewPage(null, { mode: 'test' }),
    ...Object.fromEntries(
      Object.values(PROBLEMS).map((problem) => [`review: ${problem.kind}`, reviewPage({ note: 'Kept', problem })]),
    ),
  },
  interested: {
    response: responsePage(null),
    'response of test mode': responsePage('sent', { mode: 'test' }),
    'response sent': responsePage('sent'),
    'response sent before': responsePage('sent-before'),
    'another response sent': responsePage('sent-another'),
  },
  expired: { expired: { kind: 'expired', quote: { ...QUOTE, status: 'expired' } } },
  ineligible: {
    ineligible: {
      kind: 'ineligible',
      quote: { ...QUOTE, options: [], recommended: null, ineligibleBecause: ['ISSUER'] },
    },
  },
  replaced: {
    replaced: { kind: 'replaced', mode: 'live' },
    'replaced of test mode': { kind: 'replaced', mode: 'test' },
  },
  unknown: { unknown: { kind: 'unknown' } },
  'foreign-form': { 'foreign form': { kind: 'foreign-form' } },
  'too-many': {
    'too many': { kind: 'too-many', retryAfterSeconds: 61, tryAgain: AT_LINK },
    'too many, with a response': { kind: 'too-many', retryAfterSeconds: 61, tryAgain: BY_FORM },
  },
  'too-large': { 'too large': { kind: 'too-large' } },
  unavailable: {
    unavailable: { kind: 'unavailable', tryAgain: AT_LINK },
    'unavailable, with a response': { kind: 'unavailable', tryAgain: BY_FORM },
  },
  failed: {
    failed: { kind: 'failed', requestId: REQUEST_ID, tryAgain: AT_LINK },
    'failed, with a response': { kind: 'failed', requestId: REQUEST_ID, tryAgain: BY_FORM },
  },
};

/** Every page that there is, by a name for it. */
export const PAGES: ReadonlyMap<string, Page> = new Map(Object.values(SAMPLES).flatMap((one) => Object.entries(one)));

/** What is read on a page: its text between tags, one space where there were any. */
export function textOf(html: string): string {
  const body = html.slice(html.indexOf('<body')).replaceAll(/<script>.*?<\/script>/gs, '');
  return decode(body.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
}

/** Every tag with its attributes, in order. */
export function tagsOf(html: string): readonly string[] {
  return html.match(/<[^>]*>/g) ?? [];
}

/** Text as it was before it was written into HTML. */
export function decode(html: string): string {
  const characters: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return html.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => characters[entity] ?? entity);
}

function sampleOption(percent: number, months: number): Option {
  const down = percent * 101_234 + percent;
  const financed = 10_123_456 - down;
  const monthly = Math.ceil((financed * (1 + 0.005 * months)) / months);
  return {
    id: `opt_${percent}_${months}`,
    downPaymentRate: `0.${percent}`.replace(/0$/, ''),
    termMonths: months,
    apr: `0.1${percent}${months % 10}`.replace(/0$/, ''),
    downPayment: toMoney(down),
    amountFinanced: toMoney(financed),
    monthlyPayment: toMoney(monthly),
    financeCharge: toMoney(monthly * months - financed),
    totalOfPayments: toMoney(monthly * months),
    totalCost: toMoney(down + monthly * months),
  };
}

function toMoney(cents: number): string {
  const digits = String(cents);
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
