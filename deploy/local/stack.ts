import { appendFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createServiceDatabases } from './databases.ts';
import { accessPostgres, endPredecessor, startPostgres } from './embedded-postgres.ts';
import { type FolderLock, lockLocalFolder, openLocalFolder, readOrCreateSecrets, writeWhole } from './local-folder.ts';
import { areFree, LOCAL_HOST, requireFreePorts, type Ports } from './ports.ts';
import { waitUntil } from './processes.ts';
import { seedDemo, type Demo, type OperatorAccess } from './seed.ts';
import { serviceProcess } from './service-process.ts';
import { addressesOf, DATABASES, LISTENING, rpcUrl, servicesOf } from './services.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

/** What `stack.json` tells other programs of a stack that is ready. Only this account can read it. */
export type StackFile = Demo & {
  readonly gateway_url: string;
  readonly hosted_url: string;
  readonly docs_url: string;
  readonly mail_url: string;
  readonly postgres_url: string;
  readonly operator: OperatorAccess;
};

export type StackOptions = {
  /** The project's folder. */
  readonly root: string;
  /** Where the data is kept. */
  readonly folder: string;
  readonly ports: Ports;
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
        await waitUntil(() => areFree(ports, LISTENING), TIME_TO_VANISH_MS);
      }
      await requireFreePorts(ports, LISTENING);
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
  const { root, folder, ports, environment, tell } = options;
  const secrets = readOrCreateSecrets(folder);
  const dataDir = postgresFolderOf(folder);
  const log = (line: string) => {
    appendFileSync(path.join(folder, 'postgres.log'), `${line}\n`, { mode: 0o600 });
    if (!line.includes('LOG:')) tell('postgres', line);
  };
  const postgres = () => startPostgres({ dataDir, port: ports.postgres, log });
  await supervisor.start([{ name: 'postgres', start: postgres }]);
  const { url, rolePassword } = accessPostgres({ dataDir, port: ports.postgres });
  await createServiceDatabases({ url, rolePassword }, DATABASES);

  const services = servicesOf({ root, ports, secrets, databaseUrl: (name) => url(name, name) });
  await supervisor.start(services.map((service) => serviceProcess(service, { inherited: environment, tell })));

  const operator = {
    gateway_url: rpcUrl(ports.gatewayRpc),
    pricing_url: rpcUrl(ports.pricing),
    application_url: rpcUrl(ports.application),
    token: secrets.operatorToken,
  };
  const addresses = addressesOf(ports);
  const file: StackFile = {
    gateway_url: addresses.gateway,
    hosted_url: addresses.hostedPage,
    docs_url: addresses.docs,
    mail_url: `http://${LOCAL_HOST}:${ports.mail}`,
    postgres_url: url('postgres'),
    operator,
    ...(await seedDemo({ folder, operator })),
  };
  writeWhole(stackFileOf(folder), file);
  return file;
}
