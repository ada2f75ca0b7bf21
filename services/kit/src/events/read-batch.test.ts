import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { EventTopic } from '@pfq/proto/topics';
import fc from 'fast-check';
import { pino } from 'pino';
import type { Sent } from './dead-letter.ts';
import { makeReader, UnreadableEvent } from './read-batch.ts';

const kept = { holds: 'texts', partitions: 1, retentionMs: 1, maxMessageBytes: 1 };
const topic: EventTopic = { ...kept, name: 'events', deadLetter: { ...kept, name: 'dead letters' } };

/** What happens to a record each time that it comes: the last outcome is what it ends in. */
type Fate = { readonly failures: readonly ('handling' | 'dead letter')[]; readonly isReadable: boolean };

const fates = fc.array(
  fc.record({
    failures: fc.array(fc.constantFrom('handling', 'dead letter'), { maxLength: 8 }),
    isReadable: fc.boolean(),
  }),
  { maxLength: 12 },
);

test('whatever fails however often, each record is done with once, in order, and committed only then', async () => {
  const property = fc.asyncProperty(fates, fc.integer({ min: 1, max: 5 }), async (all, batchSize) => {
    const world = makePartition(all);
    while (world.committed.length < all.length) await world.readFrom(world.committed.length, batchSize);
    const offsets = all.map((_, offset) => String(offset));
    assert.deepEqual(world.committed, offsets);
    assert.deepEqual(world.done, offsets);
    assert.deepEqual(
      world.deadLetters,
      offsets.filter((_, offset) => all[offset]?.isReadable === false),
    );
  });
  await fc.assert(property);
});

test('a record that keeps failing comes again after waits that double from half a second to fifteen', async () => {
  const world = makePartition([{ failures: Array.from({ length: 8 }, () => 'handling'), isReadable: true }]);
  while (world.committed.length === 0) await world.readFrom(0, 1);
  assert.deepEqual(world.waits, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});

test('nothing is begun of a partition that is no longer ours', async () => {
  const world = makePartition([{ failures: [], isReadable: true }]);
  await world.readFrom(0, 1, { isOurs: false });
  assert.deepEqual([world.done, world.committed], [[], []]);
});

test('a heartbeat is sent every second while a record takes long, and its failure stops nothing', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const handled = Promise.withResolvers<void>();
  let heartbeats = 0;
  const read = makeReader({
    topic,
    groupId: 'tests',
    handle: () => handled.promise,
    setAside: async () => {},
    logger: pino({ level: 'silent' }),
  });
  const committed: string[] = [];
  const reading = read({
    partition: 0,
    records: [{ offset: '7', key: null, value: Buffer.from('slow') }],
    isOurs: () => true,
    commit: async (offset) => void committed.push(offset),
    heartbeat: async () => {
      heartbeats += 1;
      if (heartbeats === 2) throw new Error('the group is being shared out anew');
    },
    postpone: () => {},
  });
  mock.timers.tick(3_500);
  assert.equal(heartbeats, 3);
  handled.resolve();
  await reading;
  mock.timers.tick(3_500);
  assert.deepEqual([heartbeats, committed], [4, ['7']]);
});

/** A partition whose records are numbered texts, and a reader of it. */
function makePartition(fatesOfRecords: readonly Fate[]) {
  const coming = fatesOfRecords.map(({ failures }) => [...failures]);
  const [done, deadLetters, committed]: [string[], string[], string[]] = [[], [], []];
  const waits: number[] = [];
  const failsBy = (offset: string, step: 'handling' | 'dead letter') => {
    const next = coming[Number(offset)]?.[0];
    // A record that can be read never gets as far as the dead letter.
    const isNext = next === step || (next !== undefined && fatesOfRecords[Number(offset)]?.isReadable === true);
    if (isNext) coming[Number(offset)]?.shift();
    return isNext;
  };
  const read = makeReader({
    topic,
    groupId: 'tests',
    logger: pino({ level: 'silent' }),
    async handle(value) {
      const offset = Buffer.from(value).toString();
      if (failsBy(offset, 'handling')) throw new Error('away');
      if (fatesOfRecords[Number(offset)]?.isReadable === false) throw new UnreadableEvent('strange');
      done.push(offset);
    },
    async setAside(record: Sent) {
      assert.equal(record.topic, 'dead letters');
      const offset = String(record.value);
      if (failsBy(offset, 'dead letter')) throw new Error('away');
      deadLetters.push(offset);
      done.push(offset);
    },
  });
  return {
    done,
    deadLetters,
    committed,
    waits,
    readFrom: (first: number, count: number, { isOurs } = { isOurs: true }) =>
      read({
        partition: 0,
        records: fatesOfRecords
          .map((_, offset) => ({ offset: String(offset), key: null, value: Buffer.from(String(offset)) }))
          .slice(first, first + count),
        isOurs: () => isOurs,
        async commit(offset) {
          assert.equal(done.at(-1), offset);
          committed.push(offset);
        },
        heartbeat: async () => {},
        postpone: (waitMs) => void waits.push(waitMs),
      }),
  };
}
