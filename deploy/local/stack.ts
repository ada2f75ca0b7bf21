import { appendFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createServiceDatabases } from './databases.ts';
import { makeDemoQuotes, type DemoQuotes } from './demo-quotes.ts';
import { accessPostgres, endPredecessor, startPostgres } from './embedded-postgres.ts';
import { type FolderLock, lockLocalFolder, openLocalFolder, readOrCreateSecrets, writeWhole } from './local-folder.ts';
import { areFree, PORT_NAMES, requireFreePorts, type Ports } from './ports.ts';
import { waitUntil } from './processes.ts';
import { seedDemo, type Demo, type OperatorAccess } from './seed.ts';
import { serviceProcess } from './service-process.ts';
import { addressesOf, DATABASES, operatorAccess, servicesOf, type Operations } from './services.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

/** What `stack.json` tells other programs of a stack that is ready. Only this account can read it. */
export type StackFile = Demo & {
  readonly gateway_url: string;
  readonly hosted_url: string;
  readonly docs_url: string;
  readonly mail_url: string;
  readonly postgres_url: string;
  /** Where each service shows how it is (`/readyz`) and what it counts (`/metrics`). */
  readonly operations: Operations;
  readonly operator: OperatorAccess;
  readonly demo_quotes: DemoQuotes;
};

export type StackOptions = {
  /** The project's folder. */
  readonly root: string;
  /** Where the data is kept. */
  readonly folder: string;
  readonly ports: Ports;
  /** Where Kafka is; null to send events straight to notification. */
  readonly kafkaUrl: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Gets a line from a part of the stack, and its name; "pfq" for the stack itself. */
  readonly tell: (name: string, line: string) => void;
};

export type Stack = {
  /** Resolves when everything is healthy and `stack.json` is written. Rejects with a Problem where it cannot be. */
  readonly start: () => Promise<StackFile>;
  /** Ends everything in reverse order, in bounded time, whether `start` has come to its end or not. */
  readonly stop: () => Promise<void>;
  readonly kill: () => void;
};

/** A service whose supervisor was killed notices, finishes its requests and ends. */
const TIME_TO_VANISH_MS = 20_000;
/** Of whoever looks at one machine; the environment may say otherwise. Without a collector, no trace is made at all. */
const PREFERENCES = { LOG_FORMAT: 'pretty', OTEL_TRACES_SAMPLER_ARG: '1' };
const RESTART_AFTER = { firstMs: 500, longestMs: 30_000 };

export function createStack(options: StackOptions): Stack {
  const { folder, ports, tell } = options;
  const say = (line: string) => tell('pfq', line);
  const supervisor = createSupervisor({ say, backoff: RESTART_AFTER });
  let lock: FolderLock | null = null;
  return {
    async start() {
      openLocalFolder(folder);
      lock = lockLocalFolder(folder);
      if (lock.wasAbandoned) {
        say('the last stack was killed: clearing away what it left');
        await endPredecessor(postgresFolderOf(folder));
        await waitUntil(() => areFree(ports, PORT_NAMES), TIME_TO_VANISH_MS);
      }
      await requireFreePorts(ports, PORT_NAMES);
      return startParts(options, supervisor);
    },
    async stop() {
      if (lock === null) return;
      rmSync(stackFileOf(folder), { force: true });
      await supervisor.stop();
      lock.release();
    },
    kill: () => supervisor.kill(),
  };
}

function stackFileOf(folder: string): string {
  return path.join(folder, 'stack.json');
}

function postgresFolderOf(folder: string): string {
  return path.join(folder, 'postgres');
}

async function startParts(options: StackOptions, supervisor: Supervisor): Promise<StackFile> {
  const { root, folder, ports, kafkaUrl, environment, tell } = options;
  const secrets = readOrCreateSecrets(folder);
  const dataDir = postgresFolderOf(folder);
  // Most of what it logs is for its own file: also an error, where a service asks what it knows how to go on without.
  const log = (line: string) => {
    appendFileSync(path.join(folder, 'postgres.log'), `${line}\n`, { mode: 0o600 });
    if (/ (?:FATAL|PANIC):  /.test(line)) tell('postgres', line);
  };
  const postgres = () => startPostgres({ dataDir, port: ports.postgres, log });
  await supervisor.start([{ name: 'postgres', start: postgres }]);
  const { url, rolePassword } = accessPostgres({ dataDir, port: ports.postgres });
  await createServiceDatabases({ url, rolePassword }, DATABASES);

  const databaseUrl = (name: (typeof DATABASES)[number]) => url(name, name);
  const services = servicesOf({ root, folder, ports, secrets, databaseUrl, kafkaUrl });
  const inherited = { ...PREFERENCES, ...environment };
  await supervisor.start(services.map((service) => serviceProcess(service, { inherited, tell })));

  const operator = operatorAccess(ports, secrets.operatorToken);
  const { gateway: gatewayUrl, hostedPage: hostedUrl, docs, mail, operations } = addressesOf(ports);
  const demo = await seedDemo({ folder, operator });
  const say = (line: string) => tell('pfq', line);
  const file: StackFile = {
    gateway_url: gatewayUrl,
    hosted_url: hostedUrl,
    docs_url: docs,
    mail_url: mail,
    postgres_url: url('postgres'),
    operations,
    operator,
    ...demo,
    demo_quotes: await makeDemoQuotes({ folder, keys: demo.keys, gatewayUrl, hostedUrl, say }),
  };
  writeWhole(stackFileOf(folder), file);
  return file;
}
