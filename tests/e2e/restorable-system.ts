import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createServiceDatabases } from '@pfq/local/databases';
import type { Ports } from '@pfq/local/ports';
import { serviceProcess } from '@pfq/local/service-process';
import { DATABASES, operatorAccess, servicesOf } from '@pfq/local/services';
import type { OperatorAccess } from '@pfq/local/seed';
import type { Running } from '@pfq/local/supervisor';
import { startInstalledPostgres, withPostgresPrograms } from '../support/installed-postgres.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Kept apart from the databases, as in production: without the same ones no key, answer or page is known any more. */
const SECRETS = {
  operatorToken: 'operator-token-of-a-system-to-restore',
  keyPepper: 'key-pepper-of-a-system-to-restore-0123456789',
  answerSecret: 'answer-secret-of-a-system-to-restore-0123456789',
  reviewSecret: 'review-secret-of-a-system-to-restore-0123456789',
};

type Script = 'back-up.sh' | 'restore.sh';

/** Databases on a server of their own, and the services on them. */
export type RestorableSystem = {
  readonly operator: OperatorAccess;
  readonly postgresUrl: string;
  readonly startServices: () => Promise<void>;
  readonly stopServices: () => Promise<void>;
  /** Runs one of the scripts in `deploy/backup` on the databases, with these arguments. Gives its output; rejects with it where it fails. */
  readonly run: (script: Script, ...args: readonly string[]) => Promise<string>;
  /** Runs the application's own copying, which MongoDB needs. */
  readonly copy: (program: 'back-up' | 'restore', file: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

type Needs = {
  readonly folder: string;
  readonly ports: Ports;
  /** Where applications are kept; in PostgreSQL where it is null. */
  readonly mongoUrl: string | null;
};

/** The databases are empty, and no service has been started yet. */
export async function makeSystem({ folder, ports, mongoUrl }: Needs): Promise<RestorableSystem> {
  const postgres = await startInstalledPostgres(folder);
  await createServiceDatabases(postgres, DATABASES);
  const databaseUrl = (name: (typeof DATABASES)[number]) =>
    name === 'application' && mongoUrl !== null ? mongoUrl : postgres.url(name, name);
  const services = servicesOf({ root: ROOT, folder, ports, secrets: SECRETS, databaseUrl, kafkaUrl: null });
  const running: Running[] = [];
  const stopServices = async () => {
    await Promise.all(running.splice(0).map(({ stop }) => stop()));
  };
  const relevant = DATABASES.filter((name) => databaseUrl(name).startsWith('postgres:'));
  const addresses = Object.fromEntries(
    relevant.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, databaseUrl(name)]),
  );
  return {
    operator: operatorAccess(ports, SECRETS.operatorToken),
    postgresUrl: postgres.url('postgres'),
    async startServices() {
      const tell = (name: string, line: string) => appendFileSync(path.join(folder, 'log'), `${name} | ${line}\n`);
      const parts = services
        .filter(({ name }) => name !== 'mail')
        .map((service) => serviceProcess(service, { inherited: process.env, tell }));
      running.push(...(await Promise.all(parts.map((part) => part.start(new AbortController().signal)))));
    },
    stopServices,
    async run(script, ...args) {
      const env = withPostgresPrograms({ ...process.env, ...addresses });
      const { stdout } = await promisify(execFile)(path.join(ROOT, 'deploy/backup', script), args, { env });
      return stdout;
    },
    async copy(program, file) {
      const env = { ...process.env, DATABASE_URL: mongoUrl ?? '' };
      const { stdout } = await promisify(execFile)(process.execPath, [path.join(ROOT, PROGRAMS[program]), file], {
        env,
      });
      return stdout;
    },
    async stop() {
      await stopServices();
      await postgres.stop();
    },
  };
}

const PROGRAMS = {
  'back-up': 'services/application/src/back-up.ts',
  restore: 'services/application/src/restore.ts',
};
