import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Connection } from './postgres.ts';

/** What a database says of its schema. */
type Schema = {
  /** Names of the migrations that were applied; none where it was never migrated. */
  readonly applied: readonly string[];
  /** Numbers of migrations which every release must know that is to run on it. */
  readonly needs: readonly string[];
};

const HEAD_LINES = 5;
const NEEDS = /^-- needs: (\d{4})$/;

/** Names of the migrations of this release in their order, such as `0001_quotes`: the files `*.sql` in its folder. */
export function readMigrationNames(dir: string): readonly string[] {
  return readdirSync(dir)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();
}

/**
 * The number in a line `-- needs: 0004` at the head of a migration: once it is applied, releases that do not know 0004 cannot
 * run any more. Null where there is none. Throws where such a line names no migration, or one that is yet to come.
 */
export function readNeeds(file: string, sql: string): string | null {
  const head = sql.split('\n', HEAD_LINES).map((each) => each.trimEnd());
  const line = head.find((each) => /^\s*--\s*needs\s*:/i.test(each));
  if (line === undefined) return null;
  const number = NEEDS.exec(line)?.[1];
  if (number === undefined || number > numberOf(path.basename(file)))
    throw new Error(`"${line}" must name this migration or an earlier one, as in -- needs: 0004`);
  return number;
}

/** Done in the migration's own transaction; the table comes with the first migration that has needs. */
export function recordNeeds(migration: string, needs: string): string {
  return `
    CREATE TABLE IF NOT EXISTS schema_needs (migration text PRIMARY KEY, needs text NOT NULL);
    INSERT INTO schema_needs (migration, needs) VALUES ('${migration}', '${needs}');`;
}

/** Why a release with these migrations cannot run on a schema; null where it can, or where it only lacks some. */
export function reasonTooNew({ needs }: Schema, migrations: readonly string[]): string | null {
  const [least = ''] = [...needs].sort().reverse();
  const newest = numberOf(migrations.at(-1) ?? '');
  if (least <= newest) return null;
  return `the schema is too new: it needs a release that knows migration ${least}; this one ends with ${newest}`;
}

/** Each is the whole of a table with at most a row for each file. */
const APPLIED = `
  SELECT name, to_regclass('schema_needs') IS NOT NULL AS has_needs FROM schema_migrations`;
const NEEDED = 'SELECT needs FROM schema_needs';
/** What PostgreSQL says of a table that is not there. */
const UNDEFINED_TABLE = '42P01';

export async function readSchema(client: Connection): Promise<Schema> {
  try {
    const { rows } = await client.query<{ name: string; has_needs: boolean }>(APPLIED);
    const needed = rows[0]?.has_needs ? (await client.query<{ needs: string }>(NEEDED)).rows : [];
    return { applied: rows.map(({ name }) => name), needs: needed.map(({ needs }) => needs) };
  } catch (error) {
    const wasNeverMigrated = error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE;
    if (!wasNeverMigrated) throw error;
    return { applied: [], needs: [] };
  }
}

/** `0004` of `0004_requests`. */
function numberOf(name: string): string {
  return /^\d+/.exec(name)?.[0] ?? '';
}
