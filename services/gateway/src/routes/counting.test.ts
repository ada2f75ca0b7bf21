import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordTelemetry } from '@pfq/kit/telemetry/recording.test-support';
import { BODY, makeGate, startKeyedGateway } from '../keyed-writes.test-support.ts';
import { PRICED_UNDER, pricedDeal } from '../priced-deal.test-support.ts';
import { accessStore, accessWith, startGateway, TEST_KEY } from '../running-gateway.test-support.ts';

const recording = recordTelemetry();
const PRICED = { priced: pricedDeal(), pricedUnder: PRICED_UNDER };

test('what an Idempotency-Key led to is counted', async (t) => {
  const before = await outcomes();
  const gate = makeGate();
  const { moveTo, post } = await startKeyedGateway(t, {
    priceDeal: () => gate.pass().then(() => PRICED),
  });
  const first = post();
  await gate.reached;
  await post();
  await post({ body: `${BODY} ` });
  gate.open();
  await first;
  await post();
  assert.deepEqual(await outcomes(before), { performed: 1, replayed: 1, in_progress: 1, key_reused: 1 });
  await moveTo(3_600_000);
  await post({ body: `${BODY} ` });
  assert.deepEqual(await outcomes(before), { performed: 1, replayed: 1, in_progress: 1, key_reused: 2 });
});

test('a write that is refused under its key counts as performed, one that was given up as lost', async (t) => {
  const before = await outcomes();
  const gate = makeGate();
  const { moveTo, post } = await startKeyedGateway(t, {
    priceDeal: () => gate.pass().then(() => PRICED),
    createQuote: () => Promise.reject(new TypeError('a bug')),
  });
  const first = post({ key: 'lost' });
  await gate.reached;
  await moveTo(120_001);
  await post({ key: 'lost' });
  gate.open();
  await first;
  assert.deepEqual(await outcomes(before), { record_lost: 2 });
  await post({ key: 'failed' });
  await post({ key: 'failed' });
  assert.deepEqual(await outcomes(before), { record_lost: 2, performed: 1, replayed: 1 });
});

test('refusals are counted by each limit that was exceeded, and by mode', async (t) => {
  const [perMinute] = accessWith().windows;
  assert.ok(perMinute);
  const windows = [
    { ...perMinute, used: 61 },
    { ...perMinute, name: 'key_quotes_per_day' as const, used: 60 },
    { ...perMinute, name: 'agency_quotes_per_day' as const, used: 70 },
  ];
  const { store } = accessStore({ [TEST_KEY]: accessWith({ windows, mode: 'live' }) });
  const gateway = await startGateway(t, { access: store });
  const before = await recording.readings('pfq.limit.refusals');
  assert.equal((await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: BODY })).status, 429);
  const after = await recording.readings('pfq.limit.refusals');
  assert.deepEqual(
    after.filter((reading) => !before.some((earlier) => JSON.stringify(earlier) === JSON.stringify(reading))),
    ['requests_per_minute', 'agency_quotes_per_day'].map((name) => ({
      value: 1,
      attributes: { 'pfq.limit': name, 'pfq.mode': 'live' },
    })),
  );
});

/** Counted so far, since `before` where it is given. */
async function outcomes(before: Readonly<Record<string, number>> = {}): Promise<Record<string, number>> {
  const readings = await recording.readings('pfq.idempotency.outcomes');
  const counted = readings.map(({ value, attributes }) => {
    const [name = ''] = Object.values(attributes).map(String);
    return [name, value - (before[name] ?? 0)] as const;
  });
  return Object.fromEntries(counted.filter(([, value]) => value > 0));
}
