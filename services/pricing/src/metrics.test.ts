import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { callerHeaders } from '@pfq/kit/caller';
import type { Mode } from '@pfq/kit/caller';
import { recordTelemetry } from '@pfq/kit/telemetry/recording.test-support';
import { makeDatabase } from '../../../tests/support/database.ts';
import { DEFAULT_SETTINGS } from './domain/settings-text.ts';
import { parseRateSheet } from './domain/rate-sheet.ts';
import { A_MINUS_CARRIER, flatSheet, PRICED_AT, workedExample } from './examples.test-support.ts';
import { observeRateSheet } from './metrics.ts';
import { AS_OPERATOR, startPricing } from './running-pricing.test-support.ts';
import type { PricingRules } from './storage/reference-library.ts';

const DAY_SECONDS = 86_400;
const MIDNIGHT = Date.parse('2026-12-01T00:00:00Z');
const RATES = [flatSheet('0.0400')];

const telemetry = recordTelemetry();

test('deals priced for a quote are counted by outcome and mode, with their options and failed checks; priced again they are not', async (t) => {
  const { pricing } = await runPricing(t);
  const of = (mode: Mode) => ({
    headers: callerHeaders({ requestId: 'req_1', tenant: { agencyId: 'agy_1', mode } }),
  });
  const outside = workedExample();
  if (outside.insured) outside.insured.state = 'OK';
  const { pricedUnder } = await pricing.priceDeal({ deal: workedExample(), pricedAt: PRICED_AT }, of('test'));
  await pricing.priceDeal({ deal: workedExample(), pricedAt: PRICED_AT }, of('test'));
  await pricing.priceDeal({ deal: outside, pricedAt: PRICED_AT }, of('live'));
  assert.ok(pricedUnder);
  await pricing.repriceDeal({ deal: outside, pricedUnder }, of('live'));
  assert.deepEqual(await telemetry.readings('pfq.quotes.priced'), [
    { value: 2, attributes: { 'pfq.quote.outcome': 'eligible', 'pfq.mode': 'test' } },
    { value: 1, attributes: { 'pfq.quote.outcome': 'ineligible', 'pfq.mode': 'live' } },
  ]);
  assert.deepEqual(await telemetry.readings('pfq.quotes.options'), [
    { value: 2, attributes: { 'pfq.mode': 'test' } },
    { value: 1, attributes: { 'pfq.mode': 'live' } },
  ]);
  assert.deepEqual(await telemetry.readings('pfq.eligibility.failures'), [
    { value: 1, attributes: { 'pfq.eligibility.check': 'INSURED_STATE', 'pfq.mode': 'live' } },
  ]);
});

test('the running service tells the age of its rate sheet and its limit, and neither before it has one', async (t) => {
  const before = await runPricing(t, { rates: [] });
  assert.deepEqual(await readSheet(), { age: [], limit: [] });
  await before.stop();
  await runPricing(t);
  const { age, limit } = await readSheet();
  assert.deepEqual(limit, [7 * DAY_SECONDS]);
  assert.ok(Math.abs((age[0] ?? 0) - (Date.now() - Date.parse('2026-11-30T00:00:00Z')) / 1_000) < 60);
});

test('the age counts from the day of the sheet and the limit is that of the settings, absent where there is none', async (t) => {
  const scene = observe(t, { asOf: '2026-11-30', maxDays: 7 });
  assert.deepEqual(await readSheet(), { age: [DAY_SECONDS], limit: [7 * DAY_SECONDS] });
  scene.passTime(3_600_000);
  scene.rules = rulesOf('2026-12-01', null);
  assert.deepEqual(await readSheet(), { age: [3_600], limit: [] });
});

test('however often metrics are collected, the database is asked once in five seconds', async (t) => {
  const scene = observe(t, { asOf: '2026-11-30', maxDays: 7 });
  await readSheet();
  scene.passTime(4_999);
  await readSheet();
  assert.equal(scene.looks(), 1);
  scene.passTime(1);
  await readSheet();
  assert.equal(scene.looks(), 2);
});

/** A service with its own database; both end with the test. */
async function runPricing(t: TestContext, { rates = RATES }: { readonly rates?: readonly string[] } = {}) {
  const running = await startPricing((await makeDatabase(t)).url);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await running.stop();
    isStopped = true;
  };
  t.after(stop);
  await running.admin.loadCarriers({ carriers: [A_MINUS_CARRIER] }, AS_OPERATOR);
  for (const json of rates) await running.admin.loadRateSheet({ json }, AS_OPERATOR);
  return { ...running, stop };
}

/** Observes rules that a test may change, under a clock that it may move, from midnight after the sheet of the example. */
function observe(t: TestContext, { asOf, maxDays }: { readonly asOf: string; readonly maxDays: number | null }) {
  let looks = 0;
  let nowMs = MIDNIGHT;
  const scene = {
    rules: rulesOf(asOf, maxDays),
    looks: () => looks,
    passTime: (ms: number) => void (nowMs += ms),
  };
  const currentRules = async () => {
    looks += 1;
    return scene.rules;
  };
  t.after(observeRateSheet({ currentRules }, () => nowMs));
  return scene;
}

function rulesOf(asOf: string, rateSheetMaxAgeDays: number | null): PricingRules {
  const rateSheet = parseRateSheet(flatSheet('0.0400', asOf));
  return { rateSheet, settings: { ...DEFAULT_SETTINGS, rateSheetMaxAgeDays } };
}

async function readSheet() {
  // One after the other: two collections at once share what the gauges tell.
  const age = await telemetry.readings('pfq.rate_sheet.age');
  const limit = await telemetry.readings('pfq.rate_sheet.age.limit');
  return { age: age.map(({ value }) => value), limit: limit.map(({ value }) => value) };
}
