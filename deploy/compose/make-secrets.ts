import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Files by folder, one folder for each container, which sees no other. */
type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Services that keep state in PostgreSQL; database and role are called like the service. */
const ON_POSTGRES = ['gateway', 'pricing', 'quote-store', 'notification'];
/** Written last, so that it tells that everything is there. */
const LAST = { consumer: 'operator', file: 'PFQ_OPERATOR_TOKEN' };

/**
 * Everything that must be known to some and to no one else. Files of a service are called like its variables, those of the
 * migrations like the service whose schema they own.
 */
function makeSecrets(): Secrets {
  const operatorToken = random();
  const owners = new Map(ON_POSTGRES.map((service) => [service, random()]));
  const roles = new Map(ON_POSTGRES.map((service) => [service, random()]));
  const mongoPassword = random();
  const mongoUrl = `mongodb://application:${mongoPassword}@mongodb:27017/application`;
  const ofService = (service: string) => ({
    OPERATOR_TOKEN: operatorToken,
    DATABASE_URL: postgresUrl({ role: nameOf(service), password: roles.get(service) ?? '', service }),
  });
  const ownerUrl = ([service, password]: [string, string]) =>
    [service, postgresUrl({ role: `${nameOf(service)}_owner`, password, service })] as const;
  return {
    postgres: { password: random(), 'databases.sql': databases({ owners, roles }) },
    mongodb: { password: random(), 'user.js': mongoUser(mongoPassword) },
    migrations: { ...Object.fromEntries([...owners].map(ownerUrl)), application: mongoUrl },
    gateway: { ...ofService('gateway'), KEY_PEPPER: random(), ANSWER_SECRETS: random() },
    pricing: ofService('pricing'),
    'quote-store': ofService('quote-store'),
    notification: ofService('notification'),
    application: { OPERATOR_TOKEN: operatorToken, DATABASE_URL: mongoUrl },
    'hosted-page': { OPERATOR_TOKEN: operatorToken, REVIEW_SECRETS: random() },
    [LAST.consumer]: { [LAST.file]: operatorToken },
  };
}

/** Letters and digits alone, so that they may stand in URLs and in statements. */
function random(): string {
  return randomBytes(32).toString('hex');
}

function nameOf(service: string): string {
  return service.replaceAll('-', '_');
}

function postgresUrl({ role, password, service }: { role: string; password: string; service: string }): string {
  return `postgres://${role}:${password}@postgres:5432/${nameOf(service)}`;
}

type Passwords = ReadonlyMap<string, string>;

/** One database for each service, one role that owns its schema, and one for the service itself, which may only connect. */
function databases({ owners, roles }: { owners: Passwords; roles: Passwords }): string {
  return ON_POSTGRES.flatMap((service) => {
    const name = nameOf(service);
    return [
      `CREATE ROLE ${name}_owner LOGIN PASSWORD '${owners.get(service)}';`,
      `CREATE ROLE ${name} LOGIN PASSWORD '${roles.get(service)}';`,
      `CREATE DATABASE ${name} OWNER ${name}_owner;`,
      `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC;`,
      `GRANT CONNECT ON DATABASE ${name} TO ${name};\n`,
    ];
  }).join('\n');
}

function mongoUser(password: string): string {
  const roles = [{ role: 'readWrite', db: 'application' }];
  return `db.getSiblingDB('application').createUser(${JSON.stringify({ user: 'application', pwd: password, roles })});\n`;
}

/** Whoever has a volume may read what is in it: containers run under numbers of their own. */
function write(folder: string, secrets: Secrets): void {
  for (const [consumer, files] of Object.entries(secrets)) {
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(path.join(folder, consumer, name), content, { mode: 0o644 });
    }
  }
}

// What is there is kept, because databases and the keys of agencies hang on it.
const folder = process.argv[2] ?? '/secrets';
if (!existsSync(path.join(folder, LAST.consumer, LAST.file))) write(folder, makeSecrets());
