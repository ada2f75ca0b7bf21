import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { formatMoney, parseMoney, ZERO_CENTS, type Cents } from '@pfq/kit/money';
import { buildCarrierDirectory } from '@pfq/pricing/domain/carriers';
import type { Deal, Policy } from '@pfq/pricing/domain/deal';
import { buildDeclinedList } from '@pfq/pricing/domain/declined';
import { ENGINE_VERSION, findEngine } from '@pfq/pricing/domain/engines';
import type { Option } from '@pfq/pricing/domain/priced-deal';
import { parseRateSheet } from '@pfq/pricing/domain/rate-sheet';
import type { ReferenceData } from '@pfq/pricing/domain/reference';
import { DEFAULT_SETTINGS } from '@pfq/pricing/domain/settings-text';
import { priceWithDecimals, type DecimalDeal, type DecimalOption } from './decimal-grid.ts';

/** Medians over the rounds, per grid of 30 options; `ratio` says how many times faster the engine is. */
export type GridBench = {
  readonly engineMicroseconds: number;
  readonly decimalMicroseconds: number;
  readonly ratio: number;
};

const ROUNDS = 21;
const GRIDS_PER_ENGINE_ROUND = 200;
const BASE_RATE = '0.0431';
const RATING_ADD_ONS = { A: '0', 'A-': '0.0025' };

/** Sums in cents that no figure of the grid brings to a tie: decimals of limited precision would not decide those. */
const DEALS: readonly DecimalDeal[] = [
  makeDecimalDeal([makePolicy({ premium: '20347.13', rating: 'A-', minimumEarnedRate: '0.25' })]),
  makeDecimalDeal([
    makePolicy({ premium: '13211.57', rating: 'A', minimumEarnedRate: '0.25', refundableFees: '241.09' }),
    makePolicy({ premium: '7119.31', rating: 'A-', minimumEarnedRate: '0.1', earnedFees: '377.41' }),
    makePolicy({ premium: '48903.87', rating: 'A', minimumEarnedRate: '0.35', refundableFees: '1019.23' }),
  ]),
];

/**
 * Prices the same deals with the engine and with plain decimal.js, in turns within one run.
 * The engine's time is that of the whole answer, eligibility and messages included. Throws where the grids differ.
 */
export function benchGrid(): GridBench {
  const price = findEngine(ENGINE_VERSION);
  assert.ok(price !== null);
  const reference = makeReference();
  const deals = DEALS.map(toEngineDeal);
  for (const [index, deal] of deals.entries()) {
    assert.deepEqual(
      price(deal, reference).options.map(toText),
      priceWithDecimals(DEALS[index] ?? makeDecimalDeal([])),
    );
  }
  const engineRounds: number[] = [];
  const decimalRounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const engineGrids = () => deals.map((deal) => price(deal, reference));
    engineRounds.push(timeMicroseconds(engineGrids, GRIDS_PER_ENGINE_ROUND) / deals.length);
    decimalRounds.push(timeMicroseconds(() => DEALS.map(priceWithDecimals), 1) / DEALS.length);
  }
  const [engineMicroseconds, decimalMicroseconds] = [median(engineRounds), median(decimalRounds)];
  return { engineMicroseconds, decimalMicroseconds, ratio: decimalMicroseconds / engineMicroseconds };
}

export function describeGridBench({ engineMicroseconds, decimalMicroseconds, ratio }: GridBench): string {
  const [engine, decimal] = [engineMicroseconds.toFixed(1), decimalMicroseconds.toFixed(0)];
  return `grid of 30 options: engine ${engine} µs, plain decimal.js ${decimal} µs, ${ratio.toFixed(0)} times faster`;
}

function timeMicroseconds(work: () => unknown, times: number): number {
  const start = performance.now();
  for (let turn = 0; turn < times; turn += 1) work();
  return ((performance.now() - start) * 1000) / times;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

type BenchPolicy = DecimalDeal['policies'][number];
type PolicyParts = Pick<BenchPolicy, 'premium' | 'minimumEarnedRate'> &
  Partial<BenchPolicy> & { rating: keyof typeof RATING_ADD_ONS };

function makePolicy({ rating, ...parts }: PolicyParts): BenchPolicy {
  return { earnedFees: '0.00', refundableFees: '0.00', ratingAddOn: RATING_ADD_ONS[rating], auditable: true, ...parts };
}

function makeDecimalDeal(policies: readonly BenchPolicy[]): DecimalDeal {
  return { policies, days: 365, wholeMonths: 12, baseRate: BASE_RATE };
}

function toEngineDeal({ policies }: DecimalDeal): Deal {
  const insured = { state: 'TX', line1: '1 Main Street', city: 'Lubbock', postalCode: '79401' };
  return { today: '2026-11-20', insured, policies: policies.map(toEnginePolicy) };
}

function toEnginePolicy(policy: BenchPolicy): Policy {
  return {
    premium: readMoney(policy.premium),
    fees: [
      { amount: readMoney(policy.earnedFees), earned: true },
      { amount: readMoney(policy.refundableFees), earned: false },
    ],
    minimumEarned: { kind: 'rate', rate: policy.minimumEarnedRate },
    effectiveDate: '2026-12-01',
    expirationDate: '2027-12-01',
    carrier: {
      name: policy.ratingAddOn === RATING_ADD_ONS.A ? 'Caprock Fire' : 'Llano Indemnity',
      naicCode: null,
      amBestId: null,
    },
    coverages: [{ type: 'general_liability' }],
    auditable: policy.auditable,
    documentType: 'policy',
    policyNumber: 'GL-1',
  };
}

function makeReference(): ReferenceData {
  return {
    rateSheet: parseRateSheet(`{ "as_of": "2026-11-20", "source": "bench", "rates": { "1": ${BASE_RATE} } }`),
    settings: DEFAULT_SETTINGS,
    carriers: buildCarrierDirectory([
      { name: 'Caprock Fire', naicCode: null, amBestId: null, rating: 'A' },
      { name: 'Llano Indemnity', naicCode: null, amBestId: null, rating: 'A-' },
    ]),
    declined: buildDeclinedList({ issuers: [], coverages: [] }),
    verifyMinimumEarnedCoverages: new Set(),
  };
}

function toText(option: Option): DecimalOption {
  return {
    id: option.id,
    apr: (option.aprBasisPoints / 10_000).toFixed(4),
    downPayment: formatMoney(option.downPayment),
    amountFinanced: formatMoney(option.amountFinanced),
    monthlyPayment: formatMoney(option.monthlyPayment),
    financeCharge: formatMoney(option.financeCharge),
    totalOfPayments: formatMoney(option.totalOfPayments),
    totalCost: formatMoney(option.totalCost),
    spreadClamped: option.spreadClamped,
  };
}

function readMoney(text: string): Cents {
  return parseMoney(text) ?? ZERO_CENTS;
}

if (import.meta.main) process.stdout.write(`${describeGridBench(benchGrid())}\n`);
