import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutcomeUnknownError, ServiceError, unavailable } from '@pfq/kit/errors';
import { newId } from '@pfq/kit/ids';
import fc from 'fast-check';
import type { RecordedAnswer } from '../domain/idempotency.ts';
import { quoteIds } from '../keyed-writes.test-support.ts';
import { memoryIdempotencyStore } from '../memory-idempotency.test-support.ts';
import { accessWith, NOW } from '../running-gateway.test-support.ts';
import type { IdempotencyStore } from '../storage/idempotency-store.ts';
import type { Write } from './endpoint.ts';
import { performOnce } from './once.ts';

/**
 * What becomes of one call: carried out and answered; not carried out, and the caller knows it or not; carried out now or
 * later, and the caller does not know; its caller killed before or after, with the call lost or still on its way.
 */
const FATES = ['answered', 'away', 'unheard', 'done unheard', 'late unheard', 'killed', 'killed in flight'] as const;
type Fate = (typeof FATES)[number];

const MOSTLY_ANSWERED = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fate>('answered') },
  { weight: 1, arbitrary: fc.constantFrom(...FATES) },
);
const STEP_MS = 70_000;
const RUNS = 1_000;
const RECORD_LOST = 'IDEMPOTENCY_RECORD_LOST';

/** What the one agency, mode and key of a scene was answered, in order, and when. */
type Told = { readonly outcome: string; readonly body: string | null; readonly atMs: number; readonly quotes: number };

/** A world of one key, in which every call takes any time, any call may fail in any way, and the clock moves by leaps. */
function makeWorld(s: fc.Scheduler, fates: Fate[]) {
  const memory = memoryIdempotencyStore(NOW);
  const quotes = quoteIds();
  const told: Told[] = [];
  const recorded: RecordedAnswer[] = [];
  let elapsedMs = 0;

  async function call<T>(name: string, carryOut: () => T | Promise<T>): Promise<T> {
    const fate = fates.shift() ?? 'answered';
    await s.schedule(Promise.resolve(), `${name} is sent (${fate})`);
    if (fate === 'away') throw unavailable(new Error(fate));
    if (fate === 'unheard') throw new OutcomeUnknownError(new Error(fate));
    if (fate === 'killed') return new Promise(() => {});
    if (fate === 'late unheard' || fate === 'killed in flight') {
      void s
        .schedule(Promise.resolve(), `${name} arrives`)
        .then(carryOut)
        .catch(() => {});
      if (fate === 'killed in flight') return new Promise(() => {});
      throw new OutcomeUnknownError(new Error(fate));
    }
    const result = await carryOut();
    await s.schedule(Promise.resolve(), `${name} is answered`);
    if (fate === 'done unheard') throw new OutcomeUnknownError(new Error(fate));
    return result;
  }

  const { store } = memory;
  const idempotency: IdempotencyStore = {
    claim: (claim) => call('claim', () => store.claim(claim)),
    finish: (holder, answer) =>
      call('finish', async () => {
        const isRecorded = await store.finish(holder, answer);
        if (isRecorded) recorded.push(answer);
        return isRecorded;
      }),
    release: (holder) => call('release', () => store.release(holder)),
    markLost: (holder) => call('mark lost', () => store.markLost(holder)),
    removeExpired: () => store.removeExpired(),
  };

  function makeWrite(): Write {
    const writeId = newId('qte_', elapsedMs);
    return {
      broker: { id: 'brk_ana', email: 'ana@agency.example', name: 'Ana Ruiz' },
      writeId,
      async perform() {
        await call('price', () => {});
        await call('create', () => quotes.create(writeId));
        return { status: 201, body: writeId };
      },
      async giveUp(abandonedId) {
        try {
          await call('void', () => quotes.void(abandonedId));
        } catch (error) {
          throw unavailable(error);
        }
      },
    };
  }

  async function request(): Promise<void> {
    await s.schedule(Promise.resolve(), 'a request comes');
    const keyed = {
      access: accessWith(),
      caller: { requestId: 'req_1' },
      version: '2026-09-23',
      remainingMs: () => 0,
      body: Buffer.from('{}'),
      key: 'k',
      method: 'POST',
      target: '/v1/quotes',
      refuse: () => ({ status: 500, body: 'internal' }),
    } as const;
    const deps = { idempotency, clock: () => elapsedMs, logger: { error: () => {} } };
    const note = (outcome: string, body: string | null) =>
      told.push({ outcome, body, atMs: elapsedMs, quotes: quotes.created.size });
    await performOnce(makeWrite(), keyed, deps).then(
      ({ status, body }) => note(String(status), body),
      (error: unknown) => note(error instanceof ServiceError ? error.code : '500', null),
    );
  }

  async function letTimePass(): Promise<void> {
    await s.schedule(Promise.resolve(), 'time passes');
    elapsedMs += STEP_MS;
    await memory.setTime(new Date(NOW.getTime() + elapsedMs).toISOString());
  }

  /** Nothing fails any more, and three callers come one after the other, minutes apart. */
  async function endInPeace(): Promise<readonly Told[]> {
    fates.length = 0;
    for (let count = 0; count < 3; count += 1) {
      for (let leap = 0; leap < 3; leap += 1) void letTimePass();
      await s.waitIdle();
      void request();
      await s.waitIdle();
    }
    return told.slice(-3);
  }
  return { quotes, told, recorded, request, letTimePass, endInPeace };
}

const SCENE = {
  s: fc.scheduler(),
  fates: fc.array(MOSTLY_ANSWERED, { maxLength: 30 }),
  requests: fc.integer({ min: 1, max: 5 }),
  leaps: fc.integer({ min: 0, max: 6 }),
};

test('in whatever order things happen and fail, a key makes one quote, tells one story, and what is lost stays lost', () =>
  assertOneStory({ numRuns: RUNS }));

test('the same where a create arrives after its request, two minutes old, could record nothing', () =>
  assertOneStory({ numRuns: 1, seed: -352_592_040, path: '545' }));

async function assertOneStory(replay: fc.Parameters<unknown>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.record(SCENE), async ({ s, fates, requests, leaps }) => {
      const { quotes, told, recorded, request, letTimePass, endInPeace } = makeWorld(s, [...fates]);
      for (let count = 0; count < requests; count += 1) void request();
      for (let count = 0; count < leaps; count += 1) void letTimePass();
      await s.waitIdle();
      const [, last, again] = await endInPeace();

      assert.ok(quotes.created.size <= 1, 'one quote');
      const successes = told.filter(({ outcome }) => outcome === '201').map(({ body }) => body ?? '');
      assert.ok(new Set(successes).size <= 1, 'one answer');
      assert.ok(
        successes.every((id) => quotes.created.has(id)),
        'what is answered is stored',
      );

      const [answer] = recorded;
      if (answer) {
        assert.ok(
          told.every(({ outcome }) => outcome !== RECORD_LOST),
          'what is recorded is never lost',
        );
        assert.deepEqual([again?.outcome, again?.body], [String(answer.status), answer.body], 'and is replayed');
      }

      const firstLoss = told.find(({ outcome }) => outcome === RECORD_LOST);
      if (firstLoss) {
        const afterwards = told.slice(told.indexOf(firstLoss));
        assert.ok(firstLoss.atMs > 90_000, 'nothing is lost early');
        assert.equal(firstLoss.quotes, quotes.created.size, 'no quote appears after a loss');
        assert.ok(
          afterwards.every(({ outcome }) => outcome !== '201'),
          'nothing succeeds after a loss',
        );
        assert.equal(again?.outcome, RECORD_LOST);
      }
      assert.deepEqual([last?.outcome, last?.body], [again?.outcome, again?.body], 'it ends in one answer for good');
      assert.match(again?.outcome ?? '', /^(201|500|IDEMPOTENCY_RECORD_LOST)$/);
    }),
    replay,
  );
}
