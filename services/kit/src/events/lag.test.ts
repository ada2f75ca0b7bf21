import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { until } from '../../../../tests/support/until.ts';
import { recordTelemetry } from '../telemetry/recording.test-support.ts';
import { readLag, watchLag } from './lag.ts';

const telemetry = recordTelemetry();
const OF = { topic: 'events', groupId: 'readers' };
const SECONDS = 3_000;

for (const [what, { low, high, committed }, events] of [
  ['has read all of it', { low: '0', high: '7', committed: '7' }, 0],
  ['has three ahead', { low: '0', high: '7', committed: '4' }, 3],
  ['has never read any', { low: '0', high: '7', committed: '-1' }, 7],
  ['has never read any, and some are gone', { low: '5', high: '7', committed: '-1' }, 2],
  ['was away until what it had not read was gone', { low: '5', high: '7', committed: '3' }, 2],
  ['is ahead of what the broker knows', { low: '0', high: '7', committed: '9' }, 0],
] as const) {
  test(`a group that ${what} is ${events} events behind`, async () => {
    const admin = {
      connect: async () => {},
      fetchTopicOffsets: async () => [{ partition: 2, low, high }],
      fetchOffsets: async () => [{ partitions: [{ partition: 2, offset: committed }] }],
    };
    assert.deepEqual(await readLag(admin, OF), [{ partition: 2, events }]);
  });
}

test('while nobody can know how far a group is behind nothing is told, and a later look tells again', async () => {
  let look = async () => [{ partition: 0, events: 1 }];
  const watching = watchLag({ ...OF, everyMs: 1, look: () => look(), logger: pino({ level: 'silent' }) });
  const told = async () => (await telemetry.readings('pfq.events.consumer.lag')).map(({ value }) => value);
  const untilTold = (...wanted: number[]) => until(async () => isDeepStrictEqual(await told(), wanted), SECONDS);
  await untilTold(1);
  look = () => Promise.reject(new Error('away'));
  await untilTold();
  look = async () => [{ partition: 0, events: 3 }];
  await untilTold(3);
  watching.stop();
  await untilTold();
});
