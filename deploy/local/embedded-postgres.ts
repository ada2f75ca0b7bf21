import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { Problem } from './problem.ts';
import { endOf, endProcess, hasCode, identifyProcess, sendSignal, waitUntil } from './processes.ts';

const SUPERUSER = 'postgres';
const HOST = '127.0.0.1';
const TIME_TO_START_MS = 30_000;
const TIME_TO_STOP_MS = 10_000;
const RETRY_MS = 200;

export type PostgresOptions = {
  /** Holds the cluster and its password file; made where it does not exist. One server at a time. */
  readonly dataDir: string;
  readonly port: number;
  /** Gets every line the server writes. */
  readonly log: (line: string) => void;
  /** Server settings beyond the defaults, such as `{ fsync: 'off' }` where the data is thrown away. */
  readonly settings?: Readonly<Record<string, string>>;
};

export type PostgresAccess = {
  /** A connection URL; the superuser's where no role is named. A role must be created with `rolePassword`. */
  readonly url: (database: string, role?: string) => string;
  readonly rolePassword: (role: string) => string;
};

export type Postgres = PostgresAccess & {
  readonly pid: number;
  /** Resolves when the server has ended, for whatever reason, with a word on how. */
  readonly ended: Promise<string>;
  /** Ends the server in bounded time, open connections included. */
  readonly stop: () => Promise<void>;
  /** Ends it at once, without a checkpoint: the next start recovers from the log. */
  readonly kill: () => void;
};

/**
 * Starts a real PostgreSQL on the loopback address, creating its cluster first where there is none (UTF-8, code-point
 * order, password login). What a killed predecessor left in `dataDir` is cleared away. Throws a Problem with the reason.
 */
export async function startPostgres({ dataDir, port, log, settings = {} }: PostgresOptions): Promise<Postgres> {
  const binaries = findPostgresBinaries();
  const cluster = clusterOf(dataDir);
  mkdirSync(dataDir, { recursive: true });
  const access = accessPostgres({ dataDir, port });
  if (!existsSync(cluster)) await createCluster({ binaries, cluster, passwordFile: passwordFileOf(dataDir), log });
  await endPredecessor(dataDir);

  const { server, ended } = await launch({ binaries, cluster, port, log, settings });
  return {
    ...access,
    pid: server.pid,
    ended,
    stop: () => endServer(server.pid),
    kill: () => void sendSignal(server.pid, 'SIGQUIT'),
  };
}

/** How to reach the server of `dataDir`, running or not; draws the password the first time. */
export function accessPostgres({ dataDir, port }: Pick<PostgresOptions, 'dataDir' | 'port'>): PostgresAccess {
  const password = readOrCreatePassword(passwordFileOf(dataDir));
  const rolePassword = (role: string) =>
    role === SUPERUSER ? password : createHmac('sha256', password).update(role).digest('hex');
  return {
    rolePassword,
    url: (database, role = SUPERUSER) => `postgres://${role}:${rolePassword(role)}@${HOST}:${port}/${database}`,
  };
}

/**
 * Ends a server that a killed stack left running in `dataDir`, and forgets it. Only a process that runs on this very
 * folder is ended: after a reboot the pid on file may be anyone's.
 */
export async function endPredecessor(dataDir: string): Promise<void> {
  const cluster = clusterOf(dataDir);
  const file = path.join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (identifyProcess(pid)?.command.includes(cluster) === true) await endServer(pid);
  rmSync(file, { force: true });
}

function clusterOf(dataDir: string): string {
  return path.resolve(dataDir, 'cluster');
}

function passwordFileOf(dataDir: string): string {
  return path.resolve(dataDir, 'password');
}

function readOrCreatePassword(file: string): string {
  try {
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8');
}

/** Made beside its place and moved there when complete, so that an interrupted first start leaves no half cluster. */
async function createCluster(parts: {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly log: (line: string) => void;
}): Promise<void> {
  const { binaries, cluster, passwordFile, log } = parts;
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  binaries.give(unfinished);
  binaries.give(passwordFile);
  const { command, args, options } = binaries.invoke('initdb', [
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--set=timezone=UTC',
    '--set=log_timezone=UTC',
    '--no-instructions',
  ]);
  const initdb = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const lines: string[] = [];
  if (initdb.stderr !== null) {
    createInterface({ input: initdb.stderr }).on('line', (line) => {
      lines.push(line);
      log(line);
    });
  }
  const end = await endOf(initdb);
  if (end !== 'exit code 0') {
    const reason = lines.find((line) => /(?:error|fatal):/i.test(line)) ?? lines.at(-1) ?? `initdb: ${end}`;
    throw new Problem(`PostgreSQL could not create its data in ${cluster}: ${reason}`);
  }
  renameSync(unfinished, cluster);
}

type Launch = {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
  readonly port: number;
  readonly log: (line: string) => void;
  readonly settings: Readonly<Record<string, string>>;
};

async function launch(parts: Launch) {
  const deadline = performance.now() + TIME_TO_START_MS;
  for (;;) {
    const lines: string[] = [];
    const { server, ended } = spawnServer(parts, (line) => {
      lines.push(line);
      parts.log(line);
    });
    if (await becomesReady({ cluster: parts.cluster, pid: server.pid, ended })) return { server, ended };
    await endServer(server.pid);
    // The backends of a killed server need a moment to notice; until then its shared memory is in use.
    const isTooEarly = lines.some((line) => line.includes('shared memory block'));
    if (!isTooEarly || performance.now() > deadline) {
      const reason = lines.find((line) => line.includes('FATAL')) ?? lines.at(-1) ?? 'it said nothing';
      throw new Problem(`PostgreSQL did not start on port ${parts.port}: ${reason}`);
    }
    await delay(RETRY_MS);
  }
}

function spawnServer({ binaries, cluster, port, settings }: Launch, onLine: (line: string) => void) {
  const options = { ...settings, listen_addresses: HOST, unix_socket_directories: '', log_checkpoints: 'off' };
  const {
    command,
    args,
    options: account,
  } = binaries.invoke('postgres', [
    '-D',
    cluster,
    '-p',
    String(port),
    ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = spawn(command, args, { ...account, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  if (child.pid === undefined || child.stderr === null) throw new Problem(`PostgreSQL cannot be run: ${command}`);
  createInterface({ input: child.stderr }).on('line', onLine);
  const guard = spawnGuard(child.pid);
  const ended = endOf(child).finally(() => guard.kill('SIGKILL'));
  return { server: { pid: child.pid }, ended };
}

/** A shell that waits for our end of its pipe to close, as it does however we die, and then ends the server. */
function spawnGuard(pid: number): ChildProcess {
  const script = 'read -r _; kill -s INT "$0"';
  return spawn('/bin/sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
}

/** The server writes its state as the eighth line of its pid file; `pg_ctl --wait` reads the same. */
async function becomesReady(server: {
  readonly cluster: string;
  readonly pid: number;
  readonly ended: Promise<string>;
}): Promise<boolean> {
  const file = path.join(server.cluster, 'postmaster.pid');
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  const isReady = () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    return lines[0] === String(server.pid) && lines[7]?.trim() === 'ready';
  };
  await waitUntil(() => hasEnded || isReady(), TIME_TO_START_MS);
  return !hasEnded && isReady();
}

/** The server's own signals: fast shutdown, where that takes too long immediate shutdown, and at last a plain kill. */
async function endServer(pid: number): Promise<void> {
  await endProcess(pid, { signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'], patienceMs: TIME_TO_STOP_MS });
}
