import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPostgresBinaries } from '@pfq/local/postgres-binaries';
import { findFreePort, LOCAL_HOST } from '@pfq/local/ports';
import { endOf, endProcess } from '@pfq/local/processes';
import type { Certificate } from './certificates.ts';
import { until } from './until.ts';

const PROGRAMS = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore'] as const;
const TIME_TO_START_MS = 30_000;
const TIME_TO_STOP_MS = 10_000;
const SUPERUSER = 'postgres';
/** Spelled so that an address has to escape it. */
const PASSWORD = 'p@ss:w/rd %41';

/** Where a PostgreSQL is installed with its programs: in the folder POSTGRES_BIN, or the newest of Debian's. */
const FOLDER = findFolder();

/** Why what needs these programs is skipped; false where they are. npm carries the server alone. */
export const WITHOUT_POSTGRES_PROGRAMS =
  FOLDER === null ? 'no PostgreSQL with pg_dump is installed, and POSTGRES_BIN is not set' : false;

export type InstalledPostgres = {
  readonly url: (database: string, role?: string) => string;
  readonly rolePassword: (role: string) => string;
  readonly stop: () => Promise<void>;
};

/** An empty server of the installed version, with passwords and a certificate. */
export async function startInstalledPostgres(folder: string, { key, cert }: Certificate): Promise<InstalledPostgres> {
  const binaries = findPostgresBinaries(FOLDER ?? undefined);
  const data = path.join(folder, 'data');
  const passwordFile = path.join(folder, 'password');
  const [keyFile, certFile] = [path.join(folder, 'tls.key'), path.join(folder, 'tls.crt')];
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, PASSWORD);
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certFile, cert);
  for (const entry of [data, passwordFile, keyFile, certFile]) binaries.give(entry);
  const initdb = binaries.invoke('initdb', [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  execFileSync(initdb.command, initdb.args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await findFreePort();
  const settings = {
    port,
    listen_addresses: LOCAL_HOST,
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 200,
    ssl: 'on',
    ssl_key_file: keyFile,
    ssl_cert_file: certFile,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = binaries.invoke('postgres', ['-D', data, ...options]);
  const server = spawn(postgres.command, postgres.args, { stdio: ['ignore', 'ignore', 'ignore'] });
  let hasEnded = false;
  void endOf(server).then(() => (hasEnded = true));
  const pidFile = path.join(data, 'postmaster.pid');
  const isReady = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').split('\n')[7]?.trim() === 'ready';
  await until(() => hasEnded || isReady(), TIME_TO_START_MS);
  if (hasEnded || server.pid === undefined) throw new Error(`PostgreSQL of ${FOLDER} did not start`);
  const { pid } = server;
  return {
    rolePassword: () => PASSWORD,
    url: (database, role = SUPERUSER) =>
      `postgres://${role}:${encodeURIComponent(PASSWORD)}@${LOCAL_HOST}:${port}/${database}`,
    // Its number may be another's once it has ended.
    stop: async () => {
      if (!hasEnded) await endProcess(pid, { signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'], patienceMs: TIME_TO_STOP_MS });
    },
  };
}

/** An environment in which a script finds the programs. */
export function withPostgresPrograms(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, PATH: `${FOLDER}:${environment['PATH']}` };
}

function findFolder(): string | null {
  const version = (folder: string) => Number.parseInt(folder.split('/').at(-2) ?? '', 10);
  const debians = globSync('/usr/lib/postgresql/*/bin').sort((one, other) => version(other) - version(one));
  const given = process.env['POSTGRES_BIN'];
  const isWhole = (folder: string) => PROGRAMS.every((program) => existsSync(path.join(folder, program)));
  return [...(given ? [given] : debians)].find(isWhole) ?? null;
}
