import { createLogger } from '@pfq/kit/log';
import { openDatabase } from '@pfq/kit/postgres';
import type { Postgres } from './embedded-postgres.ts';

/**
 * Gives each service a database of its own and a role of the same name that owns it and can reach no other. Names are
 * ours, and passwords hexadecimal, so both may stand in the text of statements that take no parameters.
 */
export async function createServiceDatabases(
  { url, rolePassword }: Pick<Postgres, 'url' | 'rolePassword'>,
  names: readonly string[],
): Promise<void> {
  const logger = createLogger({ service: 'local', level: 'warn', format: 'json' });
  const database = openDatabase(url('postgres'), logger);
  try {
    const existing = await database.read<{ datname: string }>('SELECT datname FROM pg_database', []);
    const roles = await database.read<{ rolname: string }>('SELECT rolname FROM pg_roles', []);
    for (const name of names) {
      if (!roles.some(({ rolname }) => rolname === name)) {
        await database.write(`CREATE ROLE ${name} LOGIN PASSWORD '${rolePassword(name)}'`, []);
      }
      if (!existing.some(({ datname }) => datname === name)) {
        await database.write(`CREATE DATABASE ${name} OWNER ${name}`, []);
      }
      await database.write(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`, []);
    }
  } finally {
    await database.close();
  }
}
