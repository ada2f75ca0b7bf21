import { sql } from '../support/sql.ts';
import type { Scene } from './scene.ts';

/** An accident that is brought about and undone by SQL. */
type Accident = { readonly database: string; readonly begin: string; readonly end: string };

export const FULL_DISK: Accident = {
  database: 'quote_store',
  begin: `
    CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON interests EXECUTE FUNCTION fill_disk()`,
  end: 'DROP FUNCTION fill_disk CASCADE',
};
export const A_MONTH_LATER: Accident = {
  database: 'quote_store',
  begin: clockAt("now() + interval '31 days'"),
  end: clockAt('now()'),
};
/** What nobody foresaw. */
export const BUG: Accident = {
  database: 'quote_store',
  begin: clockAt("now() + interval '1 day' / 0"),
  end: clockAt('now()'),
};
export const AWAY: Accident = {
  database: 'postgres',
  begin: `
    ALTER DATABASE quote_store ALLOW_CONNECTIONS false;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'quote_store'`,
  end: 'ALTER DATABASE quote_store ALLOW_CONNECTIONS true',
};

export async function during(scene: Scene, accident: Accident, action: () => Promise<unknown>): Promise<void> {
  await sql(scene.stack(), accident.database, accident.begin);
  try {
    await action();
  } finally {
    await sql(scene.stack(), accident.database, accident.end);
  }
}

function clockAt(time: string): string {
  return `CREATE OR REPLACE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT ${time} $$`;
}
