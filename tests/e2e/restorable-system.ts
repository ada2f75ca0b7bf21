import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Ports } from '@pfq/local/ports';
import { serviceProcess } from '@pfq/local/service-process';
import { DATABASES, operatorAccess, servicesOf } from '@pfq/local/services';
import type { OperatorAccess } from '@pfq/local/seed';
import type { Running } from '@pfq/local/supervisor';
import { makeAuthority } from '../support/certificates.ts';
import { startInstalledPostgres } from '../support/installed-postgres.ts';
import { sql } from '../support/sql.ts';
import { runBackUpJob } from './back-up-job.ts';
import type { Work } from './back-up-job.ts';
import { RIGHTS } from './rights.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Kept apart from the databases, as in production: without the same ones no key, answer or page is known any more. */
const SECRETS = {
  operatorToken: 'operator-token-of-a-system-to-restore',
  keyPepper: 'key-pepper-of-a-system-to-restore-0123456789',
  answerSecret: 'answer-secret-of-a-system-to-restore-0123456789',
  reviewSecret: 'review-secret-of-a-system-to-restore-0123456789',
};

type Name = (typeof DATABASES)[number];

/** Databases on a server of their own, and the services on them under roles that cannot change a schema. */
export type RestorableSystem = {
  readonly operator: OperatorAccess;
  readonly postgresUrl: string;
  /** Makes owners, services' roles and empty databases, all but the roles named. */
  readonly makeDatabases: (options?: { readonly without?: readonly string[] }) => Promise<void>;
  readonly makeRole: (role: string) => Promise<void>;
  /** Runs the migrations of every service under its owner, for its own role. */
  readonly migrate: () => Promise<void>;
  readonly startServices: () => Promise<void>;
  /** Does with the copies in a folder what the nightly job does, or the one that the guide makes of it; trusts the `ca.crt` of a folder, the server's own where none is named. */
  readonly runJob: (work: Work, copies: string, authorities?: string) => Promise<string>;
  /** Whatever the role of each service may do, a line each. */
  readonly rights: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
};

type Needs = {
  readonly folder: string;
  readonly ports: Ports;
  /** Where applications are kept; in PostgreSQL where it is null. */
  readonly mongoUrl: string | null;
};

/** A server that has nothing yet, with certificates of an authority that nobody else knows. */
export async function makeSystem({ folder, ports, mongoUrl }: Needs): Promise<RestorableSystem> {
  const authority = makeAuthority(folder);
  const secrets = path.join(folder, 'secrets');
  const authorityFile = path.join(folder, 'ca.crt');
  mkdirSync(secrets, { recursive: true });
  writeFileSync(authorityFile, authority.cert);
  const postgres = await startInstalledPostgres(folder, authority.issue({ ip: ['127.0.0.1'] }));
  const postgresUrl = postgres.url('postgres');
  const execute = (statement: string, database = 'postgres') =>
    sql({ file: { postgres_url: postgresUrl } }, database, statement);
  const inPostgres = DATABASES.filter((name) => name !== 'application' || mongoUrl === null);
  const urlOf = (name: Name, role: string) =>
    inPostgres.includes(name) ? `${postgres.url(name, role)}?sslmode=verify-full` : (mongoUrl ?? '');
  for (const name of DATABASES)
    writeFileSync(path.join(secrets, `${serviceOf(name)}-migration-url`), urlOf(name, ownerOf(name)));

  const databaseUrl = (name: Name) => urlOf(name, roleOf(name));
  const services = servicesOf({ root: ROOT, folder, ports, secrets: SECRETS, databaseUrl, kafkaUrl: null });
  const running: Running[] = [];
  const inherited = { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile };
  const makeRole = async (role: string) =>
    void (await execute(`CREATE ROLE ${role} LOGIN PASSWORD '${postgres.rolePassword(role)}'`));

  async function migrateOne(name: Name): Promise<void> {
    const role = inPostgres.includes(name) ? { DATABASE_SERVICE_ROLE: roleOf(name) } : {};
    const env = { NODE_EXTRA_CA_CERTS: authorityFile, DATABASE_URL: urlOf(name, ownerOf(name)), ...role };
    await promisify(execFile)(process.execPath, [path.join(ROOT, 'services', serviceOf(name), 'src/migrate.ts')], {
      env,
    });
  }

  return {
    operator: operatorAccess(ports, SECRETS.operatorToken),
    postgresUrl,
    async makeDatabases({ without = [] } = {}) {
      for (const name of inPostgres) {
        for (const role of [ownerOf(name), roleOf(name)]) if (!without.includes(role)) await makeRole(role);
        await execute(`CREATE DATABASE ${name} OWNER ${ownerOf(name)}`);
        await execute(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
      }
    },
    makeRole,
    async migrate() {
      await Promise.all(DATABASES.map(migrateOne));
    },
    async startServices() {
      const tell = (name: string, line: string) => appendFileSync(path.join(folder, 'log'), `${name} | ${line}\n`);
      const parts = services
        .filter(({ name }) => name !== 'mail')
        .map((service) => ({ ...service, environment: { ...service.environment, MIGRATE_ON_START: 'false' } }))
        .map((service) => serviceProcess(service, { inherited, tell }));
      running.push(...(await Promise.all(parts.map((part) => part.start(new AbortController().signal)))));
    },
    runJob(work, copies, authorities = folder) {
      const engine = mongoUrl === null ? 'postgresql' : 'mongodb';
      return runBackUpJob(work, { engine, volumes: { copies, secrets, authorities } });
    },
    async rights() {
      const found = inPostgres.map(async (name) => {
        const rows = await execute(RIGHTS.replaceAll('$role', roleOf(name)), name);
        return rows.map(({ given }) => `${name}: ${String(given)}`);
      });
      return (await Promise.all(found)).flat();
    },
    async stop() {
      await Promise.all(running.splice(0).map(({ stop }) => stop()));
      await postgres.stop();
    },
  };
}

function serviceOf(name: Name): string {
  return name.replace('_', '-');
}

function ownerOf(name: Name): string {
  return `${name}_owner`;
}

function roleOf(name: Name): string {
  return `${name}_service`;
}
