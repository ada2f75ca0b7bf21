import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { until } from '../../../tests/support/until.ts';
import { openQueue, SECONDS } from './jobs.test-support.ts';
import { recordTelemetry } from './telemetry/recording.test-support.ts';
import type { RecordedSpan } from './telemetry/recording.test-support.ts';
import { currentTrace, inSpan, SpanKind } from './telemetry/spans.ts';

const telemetry = recordTelemetry();
beforeEach(() => telemetry.forgetSpans());

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const OF_NOTES = { 'pfq.job.task': 'note' };

const attemptsIn = (spans: readonly RecordedSpan[]) => spans.filter(({ name }) => name === 'process note');
const readingOf = async (name: 'pfq.jobs.waiting' | 'pfq.jobs.oldest.age' | 'pfq.jobs.failures') =>
  (await telemetry.readings(name))[0]?.value;

test('every attempt of a job is a part of the trace in which it was added, with its task and number', async (t) => {
  const queue = await openQueue(t);
  const seen: (string | undefined)[] = [];
  await queue.start({
    async note(_payload, { number }) {
      seen.push(currentTrace().traceparent?.split('-')[1]);
      if (number < 3) throw Object.assign(new Error('secret words'), { code: 'AWAY' });
    },
  });
  await queue.add({ traceparent: TRACEPARENT });
  await until(() => attemptsIn(telemetry.spans()).length === 3, SECONDS);
  assert.deepEqual(seen, [TRACE, TRACE, TRACE]);
  const attempts = attemptsIn(telemetry.spans());
  assert.deepEqual(
    attempts.map(({ traceId, parentId, kind, hasFailed, attributes }) => [
      traceId,
      parentId,
      kind,
      hasFailed,
      attributes,
    ]),
    [1, 2, 3].map((attempt) => [
      TRACE,
      'b7ad6b7169203331',
      SpanKind.CONSUMER,
      attempt < 3,
      { ...OF_NOTES, 'pfq.job.attempt': attempt, ...(attempt < 3 && { 'error.type': 'AWAY' }) },
    ]),
  );
  assert.equal(await readingOf('pfq.jobs.failures'), 2);
  const puttingBack = telemetry.spans().filter(({ name }) => name === 'SELECT graphile_worker.add_job');
  assert.deepEqual(
    puttingBack.map(({ parentId }) => parentId),
    attempts.slice(0, 2).map(({ id }) => id),
  );
  assert.doesNotMatch(JSON.stringify(telemetry.spans()), /secret/);
});

test('a job that was added in no trace begins one, and none goes on in the next', async (t) => {
  const queue = await openQueue(t);
  await queue.start({ note: async () => {} }, { concurrency: 1 });
  await inSpan('request', { kind: SpanKind.SERVER }, () => queue.add({ key: 'one' }));
  await queue.add({ key: 'two' });
  await until(() => attemptsIn(telemetry.spans()).length === 2, SECONDS);
  const attempts = attemptsIn(telemetry.spans());
  assert.deepEqual(
    attempts.map(({ parentId }) => parentId),
    [undefined, undefined],
  );
  assert.equal(new Set(telemetry.spans().map(({ traceId }) => traceId)).size, 3);
});

test('a job that keeps failing is as old as when it was first added, and is told of until the workers stop', async (t) => {
  const queue = await openQueue(t);
  await queue.add({});
  await queue.database.write(AGE, []);
  const failuresBefore = (await readingOf('pfq.jobs.failures')) ?? 0;
  const jobs = await queue.start({ note: () => Promise.reject(new Error('away')) }, { firstMs: 1 });
  await until(async () => ((await readingOf('pfq.jobs.failures')) ?? 0) > failuresBefore + 3, SECONDS);
  const age = (await readingOf('pfq.jobs.oldest.age')) ?? 0;
  assert.ok(age >= 3_600 && age < 3_700, String(age));
  assert.equal(await readingOf('pfq.jobs.waiting'), 1);
  await jobs.stop();
  assert.equal(await readingOf('pfq.jobs.waiting'), undefined);
});

const AGE = "UPDATE graphile_worker._private_jobs SET created_at = created_at - interval '1 hour'";

test('what was wanted before it was added is as old as that', async (t) => {
  const queue = await openQueue(t);
  await queue.add({ since: new Date(Date.now() - 7_200_000), delayMs: 600_000 });
  await queue.start({ note: async () => {}, other: async () => {} });
  const ages = await telemetry.readings('pfq.jobs.oldest.age');
  assert.deepEqual(
    ages.map(({ value, attributes }) => [Math.round(value / 60), attributes]),
    [
      [120, OF_NOTES],
      [0, { 'pfq.job.task': 'other' }],
    ],
  );
});

test('what another release added, which knows of no trace and no time, runs, waits and is put back all the same', async (t) => {
  const queue = await openQueue(t);
  await queue.database.write(ADDED_BEFORE, [JSON.stringify({ payload: { id: 9 }, failures: 2 })]);
  const seen: unknown[] = [];
  await queue.start({
    async note(payload, { number }) {
      seen.push([payload, number]);
      if (number < 4) throw new Error('away');
    },
  });
  await until(async () => seen.length === 2 && (await queue.countJobs()) === 0, SECONDS);
  assert.deepEqual(seen, [
    [{ id: 9 }, 3],
    [{ id: 9 }, 4],
  ]);
});

const ADDED_BEFORE = "SELECT id FROM graphile_worker.add_job('note', $1::json, job_key => 'note:one')";
