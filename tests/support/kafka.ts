import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { makeTopics } from '@pfq/kit/events';
import type { KafkaAddress } from '@pfq/kit/events-url';
import { createLogger } from '@pfq/kit/log';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import type { EventTopic } from '@pfq/proto/topics';

const BROKERS = process.env['KAFKA_BROKERS'];
const JARS = process.env['KAFKA_JARS'];
const SERVER = path.resolve(import.meta.dirname, '../../.ci/servers/kafka');

/** Why suites that need a broker are skipped; false where there is one. */
export const WITHOUT_KAFKA = BROKERS ? false : 'KAFKA_BROKERS is not set';

/** Why suites that stop a broker, and so need one of their own, are skipped; false where one can be started. */
export const WITHOUT_KAFKA_JARS = JARS ? false : 'KAFKA_JARS is not set';

/** Nothing but what nobody should have to look at. */
export const QUIET = createLogger({ service: 'test', level: 'fatal', format: 'json' });

/** The broker that all tests share; as a setting it is `kafka://` and the brokers. */
export function kafkaBrokers(): KafkaAddress {
  if (!BROKERS) throw new Error('KAFKA_BROKERS is not set: skip what needs it where WITHOUT_KAFKA says so');
  return addressOf(...BROKERS.split(','));
}

/** A new topic with its dead letter, for one test. */
export async function makeTopic(address: KafkaAddress, { partitions }: { readonly partitions: number }) {
  const name = `test.${randomBytes(8).toString('hex')}`;
  const { retentionMs, maxMessageBytes, deadLetter: letters } = INTEREST_EXPRESSED;
  const kept = { holds: 'what a test wants', retentionMs };
  const deadLetter = { ...kept, name: `${name}.dead-letter`, partitions: 1, maxMessageBytes: letters.maxMessageBytes };
  const topic = { ...kept, name, partitions, maxMessageBytes, deadLetter };
  await makeTopics(address, [topic], QUIET);
  return topic satisfies EventTopic;
}

export type OwnBroker = {
  readonly address: KafkaAddress;
  /** The same broker where it wants TLS, by a certificate of its own, and a login. */
  readonly secured: KafkaAddress;
  /** File of the certificate. */
  readonly certificate: string;
  /** Takes what it is sent and gives no answer, until it is resumed. */
  pause(): void;
  resume(): void;
  /** Ends it at once, as if the machine had lost power. */
  kill(): Promise<void>;
  /** Starts it again where it was, with what it had stored. */
  restart(): Promise<void>;
  /** Ends it for good, and removes what it had stored. */
  remove(): Promise<void>;
};

/** A broker of one's own, to be removed after use; it ends with this process. Takes seconds to start. */
export async function startKafkaBroker(): Promise<OwnBroker> {
  if (!JARS) throw new Error('KAFKA_JARS is not set: skip what needs it where WITHOUT_KAFKA_JARS says so');
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-kafka-'));
  const { lines, ...started } = await start(JARS, folder);
  let { broker } = started;
  const kill = async () => {
    const hasEnded = broker.exitCode !== null || broker.signalCode !== null;
    if (hasEnded) return;
    const ended = once(broker, 'exit');
    broker.kill('SIGKILL');
    await ended;
  };
  const [plain = '', secured = '', certificate = ''] = lines;
  const sasl = { mechanism: 'scram-sha-512', username: 'pfq', password: 'p@ss:w/rd %' } as const;
  return {
    address: addressOf(plain),
    secured: { ...addressOf(secured), tls: true, sasl },
    certificate,
    pause: () => void broker.kill('SIGSTOP'),
    resume: () => void broker.kill('SIGCONT'),
    kill,
    async restart() {
      ({ broker } = await start(JARS, folder));
    },
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The three lines that KafkaBroker.java prints once it serves. */
async function start(jars: string, folder: string): Promise<{ broker: ChildProcess; lines: readonly string[] }> {
  const own = [path.join(SERVER, 'KafkaBroker.java'), String(process.pid), folder];
  const broker = spawn('java', [`@${path.join(SERVER, 'options')}`, '-cp', `${jars}/*`, ...own], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: broker.stdout })) {
    lines.push(line);
    if (lines.length === 3) return { broker, lines };
  }
  throw new Error('the broker did not start');
}

function addressOf(...brokers: readonly string[]): KafkaAddress {
  return { kind: 'kafka', brokers, tls: false, sasl: null };
}
