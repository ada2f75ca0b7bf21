import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@pfq/kit/clock';
import { OutcomeUnknownError, unavailable } from '@pfq/kit/errors';
import { until } from '../../../../tests/support/until.ts';
import { startKeyedGateway } from '../keyed-writes.test-support.ts';
import { outcomeOf } from '../running-gateway.test-support.ts';
import type { IdempotencyStore } from '../storage/idempotency-store.ts';

const AWAY = unavailable(new Error('the database is away'));
const UNKNOWN = new OutcomeUnknownError(new Error('the connection broke'));
const OVER_TWO_MINUTES_MS = 120_001;
const IN_PROGRESS = '409 IDEMPOTENCY_REQUEST_IN_PROGRESS';
const RECORD_LOST = '500 IDEMPOTENCY_RECORD_LOST';

type Failing = 'claim' | 'finish' | 'release';

/** The store with one statement that fails these times before it works; an UNKNOWN one was carried out all the same. */
function failing(name: Failing, failures: Iterable<Error>) {
  const left = failures[Symbol.iterator]();
  return (store: IdempotencyStore): Partial<IdempotencyStore> => {
    const attempt = async <T>(carryOut: () => Promise<T>): Promise<T> => {
      const { value: failure } = left.next();
      if (!failure || failure instanceof OutcomeUnknownError) {
        const result = await carryOut();
        if (!failure) return result;
      }
      throw failure;
    };
    const statements: Pick<IdempotencyStore, Failing> = {
      claim: (claim) => attempt(() => store.claim(claim)),
      finish: (holder, answer) => attempt(() => store.finish(holder, answer)),
      release: (holder) => attempt(() => store.release(holder)),
    };
    return { [name]: statements[name] };
  };
}

function* forever(failure: Error) {
  for (;;) yield failure;
}

const refuseToPrice = () => {
  throw unavailable('no rates');
};

for (const failures of [[AWAY], [UNKNOWN], [UNKNOWN, AWAY, UNKNOWN]]) {
  const what = failures.map((failure) => (failure === AWAY ? 'away' : 'not heard of')).join(', ');

  test(`a claim whose database is ${what} is made again, and its request served`, async (t) => {
    const { quotes, post } = await startKeyedGateway(t, { around: failing('claim', failures) });
    assert.equal((await post()).status, 201);
    assert.equal((await post()).headers['idempotent-replayed'], 'true');
    assert.equal(quotes.created.size, 1);
  });

  test(`an answer whose database is ${what} is recorded again, and replayed afterwards`, async (t) => {
    const { post } = await startKeyedGateway(t, { around: failing('finish', failures) });
    const first = await post();
    assert.equal(first.status, 201);
    const replay = await post();
    assert.deepEqual([replay.headers['idempotent-replayed'], replay.body], ['true', first.body]);
  });

  test(`a key whose database is ${what} is freed again, and can be used`, async (t) => {
    let isRefused = true;
    const { post } = await startKeyedGateway(t, {
      around: failing('release', failures),
      createQuote: () => (isRefused ? refuseToPrice() : {}),
    });
    assert.equal(outcomeOf(await post()), '503 SERVICE_UNAVAILABLE');
    isRefused = false;
    assert.equal((await post()).status, 201);
  });
}

for (const failure of [AWAY, UNKNOWN]) {
  test(`a claim that cannot be made until the time is over is a 503, and nothing is done (${failure.name})`, async (t) => {
    const { gateway, post } = await startKeyedGateway(t, {
      around: failing('claim', forever(failure)),
      requestTimeoutMs: 300,
    });
    const answer = await post();
    assert.equal(outcomeOf(answer), '503 SERVICE_UNAVAILABLE');
    assert.equal(answer.headers['retry-after'], '30');
    assert.deepEqual(gateway.stored, []);
  });
}

test('a quote that is stored is answered though nothing can be recorded; later its key is lost, and no second is made', async (t) => {
  const { gateway, quotes, moveTo, post } = await startKeyedGateway(t, {
    around: failing('finish', forever(AWAY)),
    requestTimeoutMs: 300,
  });
  const first = await post();
  assert.equal(first.status, 201);
  assert.match(gateway.log.join('\n'), /ERROR an answer could not be recorded .*the database is away/s);
  assert.equal(outcomeOf(await post()), IN_PROGRESS);
  await moveTo(OVER_TWO_MINUTES_MS);
  assert.equal(outcomeOf(await post()), RECORD_LOST);
  assert.equal(outcomeOf(await post()), RECORD_LOST);
  assert.equal(quotes.created.size, 1);
});

for (const [failure, outcome, why] of [
  [AWAY, RECORD_LOST, 'so is the caller'],
  [UNKNOWN, '500 INTERNAL', 'the caller is told neither, where it may have been recorded after all'],
] as const) {
  test(`when nothing can be recorded until others may have been told lost, ${why}`, async (t) => {
    let pausedMs = 0;
    const { post } = await startKeyedGateway(t, {
      around: failing('finish', forever(failure)),
      clock: () => systemClock() + pausedMs,
      createQuote() {
        pausedMs = 90_000;
        return {};
      },
    });
    assert.equal(outcomeOf(await post()), outcome);
  });
}

test('a refusal is told as it is though its key cannot be freed', async (t) => {
  const { gateway, post } = await startKeyedGateway(t, {
    around: failing('release', forever(AWAY)),
    createQuote: refuseToPrice,
    requestTimeoutMs: 300,
  });
  assert.equal(outcomeOf(await post()), '503 SERVICE_UNAVAILABLE');
  assert.match(gateway.log.join('\n'), /ERROR an idempotency key could not be freed .*the database is away/s);
  assert.equal(outcomeOf(await post()), IN_PROGRESS);
});

for (const name of ['claim', 'release'] as const) {
  test(`a key whose ${name} was not heard of is freed afterwards, so that the refused request can be sent again`, async (t) => {
    const database = { isAway: true };
    function* whileAway() {
      while (database.isAway) yield name === 'claim' ? UNKNOWN : AWAY;
    }
    const { quotes, post } = await startKeyedGateway(t, {
      around: failing(name, { [Symbol.iterator]: whileAway }),
      createQuote({ quoteId }) {
        if (database.isAway) refuseToPrice();
        quotes.create(quoteId);
        return {};
      },
      requestTimeoutMs: 300,
    });
    assert.equal(outcomeOf(await post()), '503 SERVICE_UNAVAILABLE');
    database.isAway = false;
    await until(async () => (await post()).status === 201, 5_000);
    assert.equal(quotes.created.size, 1);
  });
}

test('a bug of the store is a 500 at once, not a reason to try again', async (t) => {
  const { gateway, post } = await startKeyedGateway(t, { around: failing('claim', [new TypeError('a bug')]) });
  assert.equal(outcomeOf(await post()), '500 INTERNAL');
  assert.deepEqual(gateway.stored, []);
});

test('an answer that cannot be opened is a 500, logged, and no reason to make a second quote', async (t) => {
  const { gateway, quotes, post } = await startKeyedGateway(t, {
    around: (store) => ({
      async claim(claim) {
        const { record, now } = await store.claim(claim);
        const answer = () => {
          throw new Error('its secret is not known');
        };
        if (record.progress.state !== 'finished') return { record, now };
        return { record: { ...record, progress: { state: 'finished', answer } }, now };
      },
    }),
  });
  assert.equal((await post()).status, 201);
  for (let count = 0; count < 2; count += 1) {
    const replay = await post();
    assert.equal(outcomeOf(replay), '500 INTERNAL');
    assert.equal(replay.headers['idempotent-replayed'], undefined);
  }
  assert.match(gateway.log.join('\n'), /ERROR request failed .*its secret is not known/s);
  assert.equal(quotes.created.size, 1);
});

test('a replay names the version that served the first request', async (t) => {
  const { post } = await startKeyedGateway(t, {
    around: (store) => ({
      finish: (holder, answer) => store.finish(holder, { ...answer, version: '2026-01-31' }),
    }),
  });
  assert.equal((await post()).headers['service-version'], '2026-09-23');
  assert.equal((await post()).headers['service-version'], '2026-01-31');
});
