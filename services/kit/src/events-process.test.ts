import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, mock, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { EventTopic } from '@pfq/proto/topics';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { kafkaBrokers, makeTopic, WITHOUT_KAFKA } from '../../../tests/support/kafka.ts';
import { until } from '../../../tests/support/until.ts';
import { newName, PATIENCE_MS, textEvents } from './events.test-support.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const CHILD = 'services/kit/src/events-child.test-support.ts';

describe('a process with events', { skip: WITHOUT_KAFKA, concurrency: true }, () => {
  test('that is idle takes less than half a percent of a processor, and Node warns of nothing', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 6 });
    const child = startChild(t, { topic, groupId: newName() });
    await until(() => child.told.some((line) => 'idleShare' in line), PATIENCE_MS);
    const cost = child.told.find((line) => 'idleShare' in line);
    assert.ok(child.told.some(({ heard }) => heard === 'first'));
    assert.equal(cost?.warnings, 0);
    assert.ok((cost?.idleShare ?? 1) < 0.005, `idle costs ${cost?.idleShare}`);
  });

  test('that is killed loses nothing: the event under way goes to another', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const groupId = newName();
    const events = textEvents(t, kafkaBrokers());
    const child = startChild(t, { topic, groupId });
    await events.publisher().publish({ topic: topic.name, key: 'k', value: Buffer.from('held') });
    await until(() => child.told.some(({ heard }) => heard === 'held'), PATIENCE_MS);
    await child.kill();
    const { heard } = await events.listen({ topic, groupId });
    await until(() => heard.includes('held'), PATIENCE_MS);
  });
});

describe('requests that a broker holds off', () => {
  const NOW = 1_000_000;
  for (const [what, { throttledUntil, waiting, expectedMs }] of Object.entries({
    'that wait are sent when it allows': { throttledUntil: NOW + 250, waiting: ['a request'], expectedMs: 250 },
    'that wait for others are looked at soon': { throttledUntil: NOW - 250, waiting: ['a request'], expectedMs: 10 },
    'of which none waits need no timer': { throttledUntil: NOW + 250, waiting: [], expectedMs: null },
  })) {
    test(what, (t) => {
      mock.timers.enable({ apis: ['setTimeout', 'Date'], now: NOW });
      t.after(() => mock.timers.reset());
      let checks = 0;
      const queue = Object.assign(new RequestQueue({}), {
        pending: waiting,
        throttledUntil,
        throttleCheckTimeoutId: null,
      });
      queue.checkPendingRequests = () => void (checks += 1);
      queue.scheduleCheckPendingRequests();
      queue.scheduleCheckPendingRequests();
      mock.timers.tick((expectedMs ?? 1_000) - 1);
      assert.equal(checks, 0);
      mock.timers.tick(1);
      assert.equal(checks, expectedMs === null ? 0 : 1);
    });
  }
});

type Told = { readonly heard?: string; readonly idleShare?: number; readonly warnings?: number };

function startChild(t: TestContext, { topic, groupId }: { topic: EventTopic; groupId: string }) {
  const told: Told[] = [];
  const own = [kafkaBrokers().brokers[0] ?? '', JSON.stringify(topic), groupId];
  const child = spawn(process.execPath, [path.join(ROOT, CHILD), ...own], { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line) as Told));
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  t.after(kill);
  return { told, kill };
}
