import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, mayBeLost } from './idempotency.ts';
import type { Claim, KeyRecord, Progress } from './idempotency.ts';

const CLAIMED_AT = new Date('2026-11-20T12:00:00Z');
const CREATED = { status: 201, version: '2026-09-23', body: '{}' };
const CLAIMED: Progress = { state: 'claimed' };
const FINISHED: Progress = { state: 'finished', answer: () => CREATED };
const LOST: Progress = { state: 'lost' };

const CLAIM: Claim = {
  agencyId: 'agy_1',
  mode: 'test',
  key: 'k',
  owner: 'mine',
  method: 'POST',
  path: '/v1/quotes',
  bodyHash: Buffer.alloc(32, 1),
  brokerId: 'brk_1',
  writeId: 'qte_mine',
  requestId: 'req_mine',
};

function recordWith(changes: Partial<KeyRecord>): KeyRecord {
  return { ...CLAIM, owner: 'theirs', writeId: 'qte_theirs', claimedAt: CLAIMED_AT, progress: CLAIMED, ...changes };
}

/** What a request is told `afterMs` after the claim of the record. */
function told(changes: Partial<KeyRecord>, afterMs: number): string {
  try {
    return judge(CLAIM, recordWith(changes), new Date(CLAIMED_AT.getTime() + afterMs)).kind;
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error);
    return String(error.code);
  }
}

const IN_PROGRESS = 'IDEMPOTENCY_REQUEST_IN_PROGRESS';
const RECORD_LOST = 'IDEMPOTENCY_RECORD_LOST';
const REUSED = 'IDEMPOTENCY_KEY_REUSED';
const DAY_MS = 86_400_000;
const OTHER_PATH = { path: '/v1/quotes/qte_1/hosted-link' };

const CASES: readonly (readonly [what: string, record: Partial<KeyRecord>, afterMs: number, outcome: string])[] = [
  ['its own claim', { owner: 'mine' }, 0, 'perform'],
  ['its own claim, told late', { owner: 'mine' }, 120_001, 'perform'],
  ['its own claim that others have given up', { owner: 'mine', progress: LOST }, 120_001, RECORD_LOST],
  ['another claim of now', {}, 0, IN_PROGRESS],
  ['another claim by a clock that lags', {}, -5, IN_PROGRESS],
  ['another claim, two minutes old', {}, 120_000, IN_PROGRESS],
  ['another claim, over two minutes old', {}, 120_001, 'give_up'],
  ['another claim, nearly a day old', {}, DAY_MS - 1, 'give_up'],
  ['a finished write', { progress: FINISHED }, 0, 'replay'],
  ['a write finished long ago', { progress: FINISHED }, DAY_MS - 1, 'replay'],
  ['a lost write', { progress: LOST }, 120_001, RECORD_LOST],
  ['another request that runs', OTHER_PATH, 0, REUSED],
  ['another request that is overdue', OTHER_PATH, 120_001, REUSED],
  ['another request that is finished', { ...OTHER_PATH, progress: FINISHED }, 0, REUSED],
  ['another request that is lost', { ...OTHER_PATH, progress: LOST }, 120_001, REUSED],
];
for (const [what, record, afterMs, outcome] of CASES) {
  test(`a key that holds ${what}: ${outcome}`, () => assert.equal(told(record, afterMs), outcome));
}

const DIFFERENCES: readonly (readonly [record: Partial<KeyRecord>, names: string])[] = [
  [{ method: 'PUT' }, 'method'],
  [{ path: '/v1/quotes?x' }, 'path'],
  [{ path: '/v1/%71uotes' }, 'path'],
  [{ bodyHash: Buffer.alloc(32, 2) }, 'body'],
  [{ brokerId: 'brk_2' }, 'acting broker'],
  [{ path: '/', bodyHash: Buffer.alloc(32) }, 'path and body'],
  [{ bodyHash: Buffer.alloc(32), brokerId: 'brk_2' }, 'body and acting broker'],
  [{ path: '/', bodyHash: Buffer.alloc(32), brokerId: 'brk_2' }, 'path, body and acting broker'],
];
for (const [record, names] of DIFFERENCES) {
  test(`a reused key is told with what is different: ${names}`, () => {
    assert.throws(() => judge(CLAIM, recordWith(record), CLAIMED_AT), {
      code: REUSED,
      message: `This Idempotency-Key was used within 24 hours for a request with a different ${names}. Use a new key.`,
    });
  });
}

test('a running request says when to come back, a lost one does not', () => {
  assert.throws(() => judge(CLAIM, recordWith({}), CLAIMED_AT), { code: IN_PROGRESS, retryAfterSeconds: 1 });
  assert.throws(() => judge(CLAIM, recordWith({ progress: LOST }), CLAIMED_AT), {
    code: RECORD_LOST,
    retryAfterSeconds: undefined,
  });
});

test('whoever is to be given up, or replayed, is the request of the record', () => {
  const overdue = recordWith({});
  const late = new Date(CLAIMED_AT.getTime() + 120_001);
  assert.deepEqual(judge(CLAIM, overdue, late), { kind: 'give_up', abandoned: overdue });
  const finished = recordWith({ requestId: 'req_theirs', progress: FINISHED });
  const step = judge(CLAIM, finished, late);
  assert.ok(step.kind === 'replay');
  assert.equal(step.first, finished);
  assert.deepEqual(step.answer(), CREATED);
});

test('a key may be lost long before two minutes are over by our own clock, which may be slow', () => {
  assert.deepEqual([0, 60_000, 90_000, 90_001, 120_000].map(mayBeLost), [false, false, false, true, true]);
});
