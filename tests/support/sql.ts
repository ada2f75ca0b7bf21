import pg from 'pg';
import type { RunningStack } from './stack.ts';

/** Where the databases of a stack are. */
export type WithDatabases = { readonly file: Pick<RunningStack['file'], 'postgres_url'> };

/** Runs one statement in a database of a running stack, as its superuser. */
export async function sql(
  stack: WithDatabases,
  database: string,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  const url = new URL(stack.file.postgres_url);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}
