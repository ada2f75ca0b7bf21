/**
 * A process with a consumer and a publisher: BROKER, TOPIC (JSON) and GROUP are its arguments. Tells a line of JSON for
 * each event that it hears, and one of what it cost to be idle. An event "held" is never done with.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { EventTopic } from '@pfq/proto/topics';
import { consume, openPublisher } from './events.ts';
import { createLogger } from './log.ts';

const SETTLE_MS = 2_000;
/** A machine that others use costs now and then; a timer that spins costs always, so the cheapest time tells. */
const TIMES = 4;
const IDLE_MS = 2_000;

const [broker = '', topicText = '', groupId = ''] = process.argv.slice(2);
const topic = JSON.parse(topicText) as EventTopic;
const address = { kind: 'kafka', brokers: [broker], tls: false, sasl: null } as const;
const identity = { clientId: 'child', logger: createLogger({ service: 'child', level: 'fatal', format: 'json' }) };
let warnings = 0;
process.on('warning', () => (warnings += 1));

await consume(address, {
  ...identity,
  groupId,
  topic,
  async handle(value) {
    const heard = Buffer.from(value).toString();
    tell({ heard });
    if (heard === 'held') await new Promise(() => {});
  },
});
await openPublisher(address, identity).publish({ topic: topic.name, key: 'k', value: Buffer.from('first') });
await delay(SETTLE_MS);
const shares: number[] = [];
for (let time = 0; time < TIMES; time += 1) {
  const before = process.cpuUsage();
  await delay(IDLE_MS);
  const { user, system } = process.cpuUsage(before);
  shares.push((user + system) / 1_000 / IDLE_MS);
}
tell({ idleShare: Math.min(...shares), warnings });

function tell(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
