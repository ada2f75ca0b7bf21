import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { EventTopic } from '@pfq/proto/topics';
import { pino } from 'pino';
import { recordTelemetry } from '../telemetry/recording.test-support.ts';
import { currentTrace, inSpan, SpanKind } from '../telemetry/spans.ts';
import type { Sent } from './dead-letter.ts';
import { makeReader, UnreadableEvent } from './read-batch.ts';
import { makeSender } from './sender.ts';

const telemetry = recordTelemetry();
beforeEach(() => telemetry.forgetSpans());

const kept = { holds: 'texts', partitions: 1, retentionMs: 1, maxMessageBytes: 1 };
const TOPIC: EventTopic = { ...kept, name: 'events', deadLetter: { ...kept, name: 'dead letters' } };
const [HEADERS, ENVELOPES] = ['0af7651916cd43dd8448eb211c80319c', '1bf7651916cd43dd8448eb211c80319c'];
const partOf = (trace: string) => `00-${trace}-b7ad6b7169203331-01`;
const CONSUMED = { 'messaging.destination.name': 'events', 'messaging.consumer.group.name': 'readers' };

test('a record names the span of its sending, under what goes on; one that names another keeps it', async () => {
  const sent: Sent[] = [];
  const sender = makeSender(() => ({
    send: async (record) => void sent.push(record),
    disconnect: async () => {},
    abandon: () => {},
  }));
  await inSpan('job', { kind: SpanKind.CONSUMER }, async () => {
    await sender.publish({ topic: 'events', key: 'k', value: Buffer.from('v') });
    await sender.publish({ topic: 'dead letters', key: 'k', value: null, headers: { traceparent: partOf(HEADERS) } });
  });
  const [sending, , job] = telemetry.spans();
  assert.deepEqual([sending?.name, sending?.kind, sending?.parentId], ['send events', SpanKind.PRODUCER, job?.id]);
  assert.equal(sent[0]?.headers?.['traceparent'], `00-${job?.traceId}-${sending?.id}-01`);
  assert.equal(sent[1]?.headers?.['traceparent'], partOf(HEADERS));
  const readings = await telemetry.readings('messaging.client.operation.duration');
  assert.deepEqual(
    readings.map(({ value, attributes }) => [value, Object.values(attributes)]),
    ['events', 'dead letters'].map((topic) => [1, ['kafka', topic, 'send']]),
  );
});

for (const [what, { headers, traceOf, trace }] of Object.entries({
  'what its headers name': {
    headers: { traceparent: Buffer.from(partOf(HEADERS)), tracestate: Buffer.from('vendor=1') },
    traceOf: () => ({ traceparent: partOf(ENVELOPES) }),
    trace: HEADERS,
  },
  'what it names itself, where its headers name nothing': {
    headers: {},
    traceOf: () => ({ traceparent: partOf(ENVELOPES) }),
    trace: ENVELOPES,
  },
  'a trace of its own, where nothing is named': { headers: {}, traceOf: undefined, trace: undefined },
})) {
  test(`the handling of a record is part of ${what}`, async () => {
    const seen: (string | undefined)[] = [];
    const handle = async () => void seen.push(currentTrace().traceparent);
    await readOne({ headers, traceOf, handle });
    const [span] = telemetry.spans();
    assert.deepEqual([span?.name, span?.kind], ['process events', SpanKind.CONSUMER]);
    assert.deepEqual(seen, [`00-${trace ?? span?.traceId}-${span?.id}-01`]);
    assert.equal(span?.parentId, trace && 'b7ad6b7169203331');
    assert.partialDeepStrictEqual(span?.attributes, { ...CONSUMED, 'messaging.destination.partition.id': '3' });
  });
}

for (const [error, deadLetters] of [
  [Object.assign(new Error('secret words'), { code: 'AWAY' }), 0],
  [new UnreadableEvent('strange'), 1],
] as const) {
  test(`an attempt that ends in ${error.name} is a failed span, and ${deadLetters} dead letters`, async () => {
    await readOne({ headers: {}, handle: () => Promise.reject(error) });
    const type = 'code' in error ? error.code : error.name;
    const [span] = telemetry.spans();
    assert.deepEqual([span?.hasFailed, span?.attributes['error.type']], [true, type]);
    const durations = await telemetry.readings('messaging.process.duration');
    assert.ok(durations.some(({ attributes }) => 'error.type' in attributes && attributes['error.type'] === type));
    const counted = (await telemetry.readings('pfq.events.dead_letters')).map(({ value }) => value);
    assert.deepEqual(counted, deadLetters === 0 ? [] : [deadLetters]);
    assert.doesNotMatch(JSON.stringify(telemetry.spans()), /secret/);
  });
}

type Reading = Pick<Parameters<typeof makeReader>[0], 'handle' | 'traceOf'> & { readonly headers: Sent['headers'] };

function readOne({ headers = {}, ...reading }: Reading): Promise<void> {
  const setAside = async () => {};
  const logger = pino({ level: 'silent' });
  const read = makeReader({ topic: TOPIC, groupId: 'readers', setAside, logger, ...reading });
  return read({
    partition: 3,
    records: [{ offset: '7', key: null, value: Buffer.from('text'), headers }],
    isOurs: () => true,
    commit: async () => {},
    heartbeat: async () => {},
    postpone: () => {},
  });
}
