import type { Option, Quote } from '../domain/quote.ts';
import type { Answer, Page, Paths } from './page.ts';

export const PATHS: Paths = { quote: '/q/token', review: '/q/token/review', interest: '/q/token/interest' };

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

export function quotePage(changes: Partial<Quote> = {}): Page {
  return { kind: 'quote', quote: { ...QUOTE, ...changes }, paths: PATHS, problem: null };
}

export function reviewPage(answer: Answer | null, changes: Partial<Quote> = {}): Page {
  const option = OPTIONS[7] ?? sampleOption(20, 6);
  return { kind: 'review', quote: { ...QUOTE, ...changes }, paths: PATHS, option, nonce: 'a.nonce', answer };
}

const PROBLEMS: readonly Answer['problem'][] = [
  { kind: 'not-confirmed' },
  { kind: 'note-too-long', length: 512 },
  { kind: 'note-unreadable' },
  { kind: 'form-outdated' },
  { kind: 'unavailable' },
  { kind: 'unknown-outcome' },
];

/** Every page that there is, by a name for it. */
export const PAGES: ReadonlyMap<string, Page> = new Map<string, Page>([
  ['quote', quotePage()],
  ['quote of test mode', quotePage({ mode: 'test' })],
  [
    'quote of a time before names were kept',
    quotePage({ insuredName: null, agencyName: null, broker: { ...QUOTE.broker, name: null } }),
  ],
  ['quote with one option', quotePage({ options: OPTIONS.slice(0, 1), recommended: null })],
  ['quote without a choice', { kind: 'quote', quote: QUOTE, paths: PATHS, problem: 'no-choice' }],
  ['review', reviewPage(null)],
  ['review of test mode', reviewPage(null, { mode: 'test' })],
  ...PROBLEMS.map((problem): [string, Page] => [`review: ${problem.kind}`, reviewPage({ note: 'Kept', problem })]),
  ['response', { kind: 'interested', quote: INTERESTED, paths: PATHS, after: null }],
  [
    'response of test mode',
    { kind: 'interested', quote: { ...INTERESTED, mode: 'test' }, paths: PATHS, after: 'sent' },
  ],
  ['response sent', { kind: 'interested', quote: INTERESTED, paths: PATHS, after: 'sent' }],
  ['another response sent', { kind: 'interested', quote: INTERESTED, paths: PATHS, after: 'sent-another' }],
  ['expired', { kind: 'expired', quote: { ...QUOTE, status: 'expired' }, paths: PATHS }],
  [
    'ineligible',
    {
      kind: 'ineligible',
      quote: { ...QUOTE, options: [], recommended: null, ineligibleBecause: ['ISSUER'] },
      paths: PATHS,
    },
  ],
  ['replaced', { kind: 'replaced' }],
  ['unknown', { kind: 'unknown' }],
  ['foreign form', { kind: 'foreign-form' }],
  ['too many', { kind: 'too-many', retryAfterSeconds: 61 }],
  ['too large', { kind: 'too-large' }],
  ['unavailable', { kind: 'unavailable', tryAgain: { kind: 'link', path: '/q/token' } }],
  ['failed', { kind: 'failed', requestId: 'req_0000000000000000000000' }],
]);

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
