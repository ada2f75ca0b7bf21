import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { HostedQuoteSchema } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import {
  hostedQuote,
  INELIGIBLE_MEMBERS,
  interestedIn,
  PRICED_MEMBERS,
  REQUEST_MEMBERS,
} from '../sample-quote.test-support.ts';
import { readQuote } from './read-quote.ts';

test('a quote is read with the very texts and digits that the API gives', () => {
  const quote = readQuote(hostedQuote());
  const { options, recommended, ...rest } = quote;
  assert.deepEqual(rest, {
    mode: 'live',
    status: 'active',
    insuredName: 'Lone Star Roofing LLC',
    agencyName: 'Demo Agency',
    broker: { name: 'Avery Stone', email: 'avery@agency.example' },
    createdAt: new Date('2026-11-20T15:04:05.678Z'),
    expiresAt: new Date('2026-12-20T15:04:05.678Z'),
    premium: '19500.00',
    taxesAndFees: '500.00',
    total: '20000.00',
    financingStartDate: '2027-01-01',
    policies: [
      { carrierName: 'Cottonwood', total: '12250.00' },
      { carrierName: 'Bluebonnet', total: '7750.00' },
    ],
    ineligibleBecause: [],
    assumptions: ['EARNED_ASSUMED', 'AUDITABLE_ASSUMED'],
    warnings: ['VERIFY_MINIMUM_EARNED'],
    interest: null,
  });
  assert.equal(options.length, 30);
  assert.deepEqual(recommended, {
    id: 'opt_25_9',
    downPaymentRate: '0.25',
    termMonths: 9,
    apr: '0.11',
    downPayment: '5000.34',
    amountFinanced: '15000.34',
    monthlyPayment: '1009.34',
    financeCharge: '709.34',
    totalOfPayments: '18009.34',
    totalCost: '21009.34',
  });
});

test('digits of a fraction are kept as they are stored', () => {
  const [first = {}] = PRICED_MEMBERS.options;
  const text = JSON.stringify({ ...PRICED_MEMBERS, recommended_option_id: null, options: [{ ...first, apr: 7 }] });
  const quote = hostedQuote();
  if (quote.quote?.snapshot) {
    quote.quote.snapshot.pricedMembers = Buffer.from(text.replace('"apr":7', '"apr":0.1690').slice(1, -1));
  }
  assert.equal(readQuote(quote).options[0]?.apr, '0.1690');
});

test('an interest is read with its option, and an empty note as none', () => {
  assert.deepEqual(readQuote(hostedQuote({ quote: interestedIn('opt_15_6') })).interest?.note, null);
  const { interest, status } = readQuote(hostedQuote({ quote: interestedIn('opt_15_6', 'Call me.') }));
  assert.equal(status, 'interested');
  assert.equal(interest?.option.id, 'opt_15_6');
  assert.equal(interest?.note, 'Call me.');
  assert.deepEqual(interest?.submittedAt, new Date('2026-11-21T12:00:00Z'));
});

test('an ineligible quote is read with its reasons and without options', () => {
  const quote = readQuote(hostedQuote({ pricedMembers: INELIGIBLE_MEMBERS }));
  assert.deepEqual(quote.ineligibleBecause, ['INSURED_STATE', 'PREMIUM_MIN']);
  assert.deepEqual([quote.options, quote.recommended], [[], null]);
});

test('a quote that is older than the keeping of names has none, and the stored address of its broker', () => {
  const quote = readQuote(hostedQuote({ parties: {} }));
  assert.deepEqual([quote.insuredName, quote.agencyName], [null, null]);
  assert.deepEqual(quote.broker, { name: null, email: 'stored@agency.example' });
});

test('the first version is known by its name too, a test quote by its mode', () => {
  const quote = readQuote(hostedQuote({ apiVersion: '2026-09-23', quote: { mode: Mode.TEST } }));
  assert.equal(quote.mode, 'test');
});

const [FIRST_OPTION = {}] = PRICED_MEMBERS.options;
const BROKEN: readonly (readonly [what: string, parts: Parameters<typeof hostedQuote>[0], message: RegExp])[] = [
  ['of a later API version', { apiVersion: '2027-01-01' }, /API version that this release does not know: 2027-01-01/],
  ['without a mode', { quote: { mode: Mode.UNSPECIFIED } }, /mode that this release does not know/],
  ['with an unknown status', { quote: { status: QuoteStatus.UNSPECIFIED } }, /status that this release does not know/],
  ['without the response that its status tells of', { quote: { status: QuoteStatus.INTERESTED } }, /incomplete/],
  [
    'with a response for no option of its own',
    { quote: interestedIn('opt_1_1') },
    /option that it does not have: opt_1_1/,
  ],
  [
    'with an unknown recommended option',
    { pricedMembers: { ...PRICED_MEMBERS, recommended_option_id: 'x' } },
    /not have: x/,
  ],
  [
    'with an amount that is none',
    { pricedMembers: { ...PRICED_MEMBERS, options: [{ ...FIRST_OPTION, total_cost: '1' }] } },
    /not an amount: options\[0\]\.total_cost/,
  ],
  [
    'with a rate in quotes',
    { pricedMembers: { ...PRICED_MEMBERS, options: [{ ...FIRST_OPTION, apr: '0.1' }] } },
    /not a number: options\[0\]\.apr/,
  ],
  [
    'with an instant that is none',
    { requestMembers: { ...REQUEST_MEMBERS, expires_at: 'soon' } },
    /not an instant: expires_at/,
  ],
  ['without policies', { requestMembers: { ...REQUEST_MEMBERS, policies: null } }, /not an array: policies/],
  ['without totals', { pricedMembers: { ...PRICED_MEMBERS, totals: null } }, /not an object: totals/],
  [
    'with a carrier without a name',
    { requestMembers: { ...REQUEST_MEMBERS, policies: [{ total: '1.00', carrier: {} }] } },
    /not a string: policies\[0\]\.carrier\.name/,
  ],
];
for (const [what, parts, message] of BROKEN) {
  test(`a quote ${what} is a bug that says where`, () => assert.throws(() => readQuote(hostedQuote(parts)), message));
}

test('an answer without a quote is a bug', () => {
  assert.throws(() => readQuote(create(HostedQuoteSchema)), /incomplete/);
});
