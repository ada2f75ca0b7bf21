import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../errors.ts';
import { recordTelemetry } from './recording.test-support.ts';
import { annotate, currentIds, currentTrace, errorTypeOf, inSpan, SpanKind } from './spans.ts';

const recording = recordTelemetry();
const KIND = { kind: SpanKind.INTERNAL };
const NOT_FOUND = new ServiceError('NOT_FOUND', { message: 'a text' });

beforeEach(() => recording.forgetSpans());

test('a span inside another is its child, also after a pause and beside others', async () => {
  const child = (name: string) => inSpan(name, KIND, async () => new Promise((resolve) => setImmediate(resolve)));
  await inSpan('parent', KIND, async () => Promise.all([child('one'), child('two')]));
  const parent = recording.spans().find(({ name }) => name === 'parent');
  const children = recording.spans().filter(({ parentId }) => parentId === parent?.id);
  assert.deepEqual(children.map(({ name }) => name).toSorted(), ['one', 'two']);
});

test('the trace that goes on is taken up again by whoever got it', async () => {
  const kept = await inSpan('before', KIND, async () => currentTrace());
  await inSpan('after', { ...KIND, parent: kept }, async () => {});
  const [before, after] = recording.spans();
  assert.deepEqual([after?.traceId, after?.parentId], [before?.traceId, before?.id]);
});

test('outside of spans there is no trace', () => {
  assert.deepEqual([currentTrace(), currentIds()], [{}, {}]);
});

test('what is no trace begins a new one, whatever it is', async () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}.?$/));
  await fc.assert(
    fc.asyncProperty(text, text, async (traceparent, tracestate) => {
      const { traceparent: made } = await inSpan('any', { ...KIND, parent: { traceparent, tracestate } }, async () =>
        currentTrace(),
      );
      assert.match(made ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    }),
  );
});

test('attributes that are undefined are left out', async () => {
  await inSpan('one', { ...KIND, attributes: { 'pfq.mode': 'test', 'pfq.agency.id': undefined } }, async (span) => {
    span.set({ 'pfq.key.id': undefined });
    annotate({ 'pfq.quote.id': 'qte_1', 'pfq.event.id': undefined });
  });
  assert.deepEqual(recording.spans()[0]?.attributes, { 'pfq.mode': 'test', 'pfq.quote.id': 'qte_1' });
});

for (const { name, thrown, errorType, hasFailed } of [
  { name: 'a refusal', thrown: NOT_FOUND, errorType: 'NOT_FOUND', hasFailed: false },
  {
    name: 'a failure of ours',
    thrown: new ServiceError('INTERNAL', { message: 'a text' }),
    errorType: 'INTERNAL',
    hasFailed: true,
  },
  { name: 'a bug', thrown: new RangeError('a text'), errorType: 'RangeError', hasFailed: true },
]) {
  test(`${name} that is thrown is thrown on, and told by its code and no text`, async () => {
    await assert.rejects(
      inSpan('one', KIND, async () => {
        throw thrown;
      }),
      thrown,
    );
    const [span] = recording.spans();
    assert.deepEqual([span?.hasFailed, span?.attributes], [hasFailed, { 'error.type': errorType }]);
    assert.doesNotMatch(JSON.stringify(span), /a text/);
  });
}

test('what a technology throws is judged by what it means', async () => {
  await assert.rejects(inSpan('one', { ...KIND, meaning: () => NOT_FOUND }, () => Promise.reject(new Error('404'))));
  assert.equal(recording.spans()[0]?.hasFailed, false);
});

test('inside a trace that is not sampled work is done, and no span is made', async () => {
  const unsampled = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
  const done = await inSpan('outer', { ...KIND, parent: { traceparent: unsampled } }, async () =>
    inSpan('inner', KIND, async (span) => {
      span.set({ 'pfq.mode': 'test' });
      span.rename('other');
      span.fail('INTERNAL');
      return currentIds().trace_id;
    }),
  );
  assert.equal(done, 'a'.repeat(32));
  assert.deepEqual(recording.spans(), []);
});

for (const [error, type] of [
  [NOT_FOUND, 'NOT_FOUND'],
  [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new TypeError('x'), 'TypeError'],
  ['text', 'Error'],
  [undefined, 'Error'],
] as const) {
  test(`the type of ${String(error)} is ${type}`, () => {
    assert.equal(errorTypeOf(error), type);
  });
}
