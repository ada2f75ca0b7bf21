import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withMongo } from '@pfq/kit/mongo';
import { startPostgres } from '@pfq/local/embedded-postgres';
import type { Postgres } from '@pfq/local/embedded-postgres';
import { sendSignal, waitUntil } from '@pfq/local/processes';
import { serviceProcess } from '@pfq/local/service-process';
import type { Service } from '@pfq/local/service-process';
import { startKafkaBroker } from '../support/kafka.ts';
import { startOtlpReceiver } from '../support/otlp.ts';
import { openRelay } from '../support/relay.ts';

/** Something that a stack is made of, and how to take it away and give it back. */
export type Part = {
  readonly takeAway: () => void | Promise<void>;
  /** Resolves once it does its work again. */
  readonly giveBack: () => void | Promise<void>;
  /** Ends it for good, whether it is there or not. */
  readonly remove: () => void | Promise<void>;
};

const TIME_TO_START_MS = 30_000;
const MONGO_PORT = 27_017;

/** PostgreSQL twice: killed, so that connections are refused, and frozen, so that nothing is answered. */
export async function makePostgres(dataDir: string, port: number) {
  const start = () => startPostgres({ dataDir, port, log: () => {} });
  let server: Postgres = await start();
  let frozen: readonly number[] = [];
  const thaw = () => {
    for (const pid of frozen) sendSignal(pid, 'SIGCONT');
    frozen = [];
  };
  const killed: Part = {
    async takeAway() {
      sendSignal(server.pid, 'SIGKILL');
      await server.ended;
    },
    async giveBack() {
      // What the killed server has left ends by itself, and only then another may have its files.
      const isBack = () =>
        start().then(
          (next) => Boolean((server = next)),
          () => false,
        );
      if (!(await waitUntil(isBack, TIME_TO_START_MS))) throw new Error('PostgreSQL does not start again');
    },
    async remove() {
      thaw();
      await server.stop();
    },
  };
  const silent: Part = {
    takeAway() {
      frozen = [server.pid, ...childrenOf(server.pid)];
      for (const pid of frozen) sendSignal(pid, 'SIGSTOP');
    },
    giveBack: thaw,
    remove: thaw,
  };
  return { killed, silent };
}

/** A broker of its own; `address` is as a setting has it. */
export async function makeKafka(): Promise<Part & { readonly address: string }> {
  const broker = await startKafkaBroker();
  return {
    address: `kafka://${broker.address.brokers.join(',')}`,
    takeAway: () => broker.kill(),
    giveBack: () => broker.restart(),
    remove: () => broker.remove(),
  };
}

/** A new database on a MongoDB that is there already, behind a relay that can be closed. */
export async function makeMongo(server: string): Promise<Part & { readonly address: string }> {
  const target = new URL(server);
  const relay = await openRelay({ host: target.hostname, port: Number(target.port || MONGO_PORT) });
  target.pathname = `/outages_${randomBytes(8).toString('hex')}`;
  const address = new URL(target);
  address.host = `127.0.0.1:${relay.port}`;
  address.searchParams.set('directConnection', 'true');
  return {
    address: address.href,
    takeAway: () => relay.refuseConnections(),
    giveBack: () => relay.acceptConnections(),
    async remove() {
      relay.close();
      await withMongo(target.href, (database) => database.dropDatabase());
    },
  };
}

export async function makeCollector(): Promise<Part & { readonly address: string }> {
  const receiver = await startOtlpReceiver();
  return {
    address: receiver.url,
    takeAway: () => receiver.behave('away'),
    giveBack: () => receiver.behave('taking'),
    remove: () => receiver.stop(),
  };
}

type Surroundings = Parameters<typeof serviceProcess>[1];

/** A service that is killed and started again, as whatever runs it in production would. */
export async function makeService(service: Service, surroundings: Surroundings): Promise<Part> {
  const part = serviceProcess(service, surroundings);
  const start = () => part.start(new AbortController().signal);
  let running = await start();
  return {
    async takeAway() {
      running.kill();
      await running.ended;
    },
    async giveBack() {
      running = await start();
    },
    remove: () => running.stop(),
  };
}

/** proc_pid_stat(5): the second field after the name in brackets is the parent. */
function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(path.join('/proc', String(pid), 'stat'), 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended meanwhile.
    return null;
  }
}
