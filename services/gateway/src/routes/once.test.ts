import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutcomeUnknownError, ServiceError, unavailable } from '@pfq/kit/errors';
import { BODY, makeGate, startKeyedGateway } from '../keyed-writes.test-support.ts';
import { PRICED_UNDER, pricedDeal } from '../priced-deal.test-support.ts';
import { errorOf, LIVE_KEY, outcomeOf, TEST_KEY } from '../running-gateway.test-support.ts';
import type { Answered } from '../running-gateway.test-support.ts';

const IN_PROGRESS = '409 IDEMPOTENCY_REQUEST_IN_PROGRESS';
const RECORD_LOST = '500 IDEMPOTENCY_RECORD_LOST';
const REUSED = '409 IDEMPOTENCY_KEY_REUSED';
const OVER_TWO_MINUTES_MS = 120_001;
const DAY_MS = 86_400_000;

const PRICED = { priced: pricedDeal(), pricedUnder: PRICED_UNDER };

function assertReplay(replay: Answered, original: Answered): void {
  assert.deepEqual([replay.status, replay.body], [original.status, original.body]);
  assert.equal(original.headers['idempotent-replayed'], undefined);
  assert.equal(replay.headers['idempotent-replayed'], 'true');
  assert.notEqual(replay.headers['request-id'], original.headers['request-id']);
}

test('a repetition gets the answer of the first request, byte for byte, and makes nothing', async (t) => {
  const { gateway, quotes, post } = await startKeyedGateway(t);
  const first = await post();
  assert.equal(first.status, 201);
  const second = await post();
  assertReplay(second, first);
  assert.ok(second.body.includes('https://pay.example/q/'), 'with the hosted link');
  assert.equal(second.headers['content-type'], 'application/json');
  assert.equal(second.headers['service-version'], '2026-09-23');
  assert.ok(Number(second.headers['ratelimit-limit']) > 0);
  assert.equal(quotes.created.size, 1);
  assert.ok(!gateway.log.join('\n').includes('pay.example'));
});

test('requests without a key, with other keys or in the other mode are requests of their own', async (t) => {
  const { gateway, quotes, post } = await startKeyedGateway(t);
  for (const sent of [{}, { key: 'K' }, { apiKey: LIVE_KEY }]) assert.equal((await post(sent)).status, 201);
  for (let count = 0; count < 2; count += 1) {
    assert.equal((await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: BODY })).status, 201);
  }
  assert.equal(quotes.created.size, 5);
});

test('a key is told to be reused where body or broker differ, while the first request runs and ever after', async (t) => {
  const gate = makeGate();
  const { moveTo, post } = await startKeyedGateway(t, { priceDeal: () => gate.pass().then(() => PRICED) });
  const first = post();
  await gate.reached;
  const forBen = BODY.replace('{', '{"broker_email":"ben@agency.example",');
  const differences: readonly (readonly [body: string, names: string])[] = [
    [`${BODY} `, 'body'],
    [forBen, 'body and acting broker'],
  ];
  const assertReused = async () => {
    for (const [body, names] of differences) {
      const answer = await post({ body });
      assert.equal(outcomeOf(answer), REUSED);
      assert.match(String(errorOf(answer)['message']), new RegExp(`a different ${names}\\. Use a new key\\.`));
      assert.equal(answer.headers['retry-after'], undefined);
    }
  };
  await assertReused();
  gate.open();
  assert.equal((await first).status, 201);
  await assertReused();
  await moveTo(OVER_TWO_MINUTES_MS);
  await assertReused();
});

test('while the first request runs a repetition is told to come back in a second', async (t) => {
  const gate = makeGate();
  const { quotes, post } = await startKeyedGateway(t, { priceDeal: () => gate.pass().then(() => PRICED) });
  const first = post();
  await gate.reached;
  const second = await post();
  assert.equal(outcomeOf(second), IN_PROGRESS);
  assert.equal(second.headers['retry-after'], '1');
  gate.open();
  assertReplay(await first.then(() => post()), await first);
  assert.equal(quotes.created.size, 1);
});

test('a request that has not answered after two minutes is voided and told lost, and comes back to be told so too', async (t) => {
  const gate = makeGate();
  const { gateway, quotes, moveTo, post } = await startKeyedGateway(t, {
    priceDeal: () => gate.pass().then(() => PRICED),
  });
  const first = post();
  await gate.reached;
  await moveTo(OVER_TWO_MINUTES_MS - 1);
  assert.equal(outcomeOf(await post()), IN_PROGRESS);
  await moveTo(OVER_TWO_MINUTES_MS);
  for (let count = 0; count < 2; count += 1) {
    const later = await post();
    assert.equal(outcomeOf(later), RECORD_LOST);
    assert.equal(later.headers['retry-after'], undefined);
    assert.equal(later.headers['idempotent-replayed'], undefined);
  }
  assert.equal(quotes.voided.size, 1);
  gate.open();
  assert.equal(outcomeOf(await first), RECORD_LOST);
  assert.deepEqual([quotes.created.size, gateway.stored.length], [0, 1], 'it was sent, and refused');
  assert.equal(outcomeOf(await post()), RECORD_LOST);
});

test('a late request that was refused for another reason is told lost where its key is', async (t) => {
  const gate = makeGate();
  const { moveTo, post } = await startKeyedGateway(t, {
    priceDeal: () => gate.pass().then(() => Promise.reject(unavailable('no rates'))),
  });
  const first = post();
  await gate.reached;
  await moveTo(OVER_TWO_MINUTES_MS);
  assert.equal(outcomeOf(await post()), RECORD_LOST);
  gate.open();
  assert.equal(outcomeOf(await first), RECORD_LOST);
});

test('an answer recorded while its request is being given up is replayed', async (t) => {
  const pricing = makeGate();
  const voiding = makeGate();
  const { quotes, moveTo, post } = await startKeyedGateway(t, {
    priceDeal: () => pricing.pass().then(() => PRICED),
    voidQuote: () => voiding.pass().then(() => ({})),
  });
  const first = post();
  await pricing.reached;
  await moveTo(OVER_TWO_MINUTES_MS);
  const second = post();
  await voiding.reached;
  pricing.open();
  const answered = await first;
  assert.equal(answered.status, 201);
  voiding.open();
  assertReplay(await second, answered);
  assert.equal(quotes.created.size, 1);
});

test('a key that was freed while its request was being given up serves the repetition', async (t) => {
  const pricing = makeGate();
  const voiding = makeGate();
  let priced = 0;
  const { quotes, moveTo, post } = await startKeyedGateway(t, {
    async priceDeal() {
      priced += 1;
      if (priced > 1) return PRICED;
      await pricing.pass();
      throw unavailable('no rates');
    },
    voidQuote: () => voiding.pass().then(() => ({})),
  });
  const first = post();
  await pricing.reached;
  await moveTo(OVER_TWO_MINUTES_MS);
  const second = post();
  await voiding.reached;
  pricing.open();
  assert.equal(outcomeOf(await first), '503 SERVICE_UNAVAILABLE');
  voiding.open();
  const answered = await second;
  assert.equal(answered.status, 201);
  assertReplay(await post(), answered);
  assert.equal(quotes.created.size, 1);
});

test('where a request cannot be given up the answer is 503, and lost only once it can', async (t) => {
  const gate = makeGate();
  let isAway = true;
  const { moveTo, post } = await startKeyedGateway(t, {
    priceDeal: () => gate.pass().then(() => PRICED),
    voidQuote() {
      if (isAway) throw new OutcomeUnknownError(new Error('the connection broke'));
      return {};
    },
  });
  const first = post();
  await gate.reached;
  await moveTo(OVER_TWO_MINUTES_MS);
  const refused = await post();
  assert.equal(outcomeOf(refused), '503 SERVICE_UNAVAILABLE');
  assert.equal(refused.headers['retry-after'], '30');
  isAway = false;
  assert.equal(outcomeOf(await post()), RECORD_LOST);
  gate.open();
  await first;
});

test('a late answer counts while nobody has been told that it is lost', async (t) => {
  const gate = makeGate();
  const { moveTo, post } = await startKeyedGateway(t, { priceDeal: () => gate.pass().then(() => PRICED) });
  const first = post();
  await gate.reached;
  await moveTo(10 * OVER_TWO_MINUTES_MS);
  gate.open();
  const answered = await first;
  assert.equal(answered.status, 201);
  assertReplay(await post(), answered);
});

test('a replay lasts for 24 hours from the claim, then the key is as good as new', async (t) => {
  const { quotes, moveTo, post } = await startKeyedGateway(t);
  const first = await post();
  await moveTo(DAY_MS - 1);
  assertReplay(await post(), first);
  await moveTo(DAY_MS);
  const next = await post({ body: `${BODY} ` });
  assert.equal(next.status, 201);
  assertReplay(await post({ body: `${BODY} ` }), next);
  assert.equal(quotes.created.size, 2);
});

const RECORDED_FAILURES: Readonly<Record<string, () => never>> = {
  'a fault of another service': () => {
    throw new ServiceError('INTERNAL', { message: 'Unexpected error.' });
  },
  'a bug': () => {
    throw new TypeError('secret of the inside');
  },
  'an outcome that stays unknown': () => {
    throw new OutcomeUnknownError(new Error('the connection broke'));
  },
};
for (const [what, createQuote] of Object.entries(RECORDED_FAILURES)) {
  test(`${what} is recorded: a repetition gets the same 500 with the request id of the first`, async (t) => {
    const { gateway, post } = await startKeyedGateway(t, { createQuote, requestTimeoutMs: 300 });
    const first = await post();
    assert.equal(outcomeOf(first), '500 INTERNAL');
    assert.equal(errorOf(first)['request_id'], first.headers['request-id']);
    const calls = gateway.stored.length;
    assertReplay(await post(), first);
    assert.equal(gateway.stored.length, calls);
    assert.match(
      gateway.log.join('\n'),
      new RegExp(`ERROR request failed.*${String(first.headers['request-id'])}`, 's'),
    );
  });
}

test('a refusal during the work frees the key for the same request, or for another one', async (t) => {
  const refusals = ['QUOTE_EXPIRED', 'VALIDATION_FAILED', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'] as const;
  let calls = 0;
  const { gateway, post } = await startKeyedGateway(t, {
    createQuote() {
      const code = refusals[calls];
      calls += 1;
      if (code !== undefined) throw new ServiceError(code, { message: 'Not now.' });
      return {};
    },
  });
  for (const [index, code] of refusals.entries()) {
    assert.match(outcomeOf(await post({ body: BODY + ' '.repeat(index) })), new RegExp(`${code}$`));
  }
  const made = await post();
  assert.equal(made.status, 201);
  assertReplay(await post(), made);
  assert.equal(gateway.stored.length, refusals.length + 1);
});

test('a request that is refused before the work does not use its key up', async (t) => {
  const { gateway, post } = await startKeyedGateway(t);
  const early: readonly (readonly [body: string, outcome: string])[] = [
    ['{', '400 INVALID_JSON'],
    ['{}', '422 VALIDATION_FAILED'],
    [BODY.replace('{', '{"broker_email":"nobody@agency.example",'), '403 BROKER_NOT_ACTIVE'],
  ];
  for (const [body, outcome] of early) assert.equal(outcomeOf(await post({ body })), outcome);
  assert.deepEqual(gateway.stored, []);
  const made = await post();
  assert.equal(made.status, 201);
  for (const [body, outcome] of early) assert.equal(outcomeOf(await post({ body })), outcome, 'nor is it told reused');
  assertReplay(await post(), made);
});
