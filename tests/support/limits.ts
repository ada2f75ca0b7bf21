import { sql } from './sql.ts';
import type { WithDatabases } from './sql.ts';

/** Makes every request of a gateway the first of its minute and day, where it is run on its database. */
export const LIFT = `
  CREATE OR REPLACE FUNCTION count_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.quotes := 1; RETURN NEW; END $$;
  CREATE OR REPLACE FUNCTION count_one_request() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN NEW.requests := 1; NEW.quotes := 1; RETURN NEW; END $$;
  CREATE OR REPLACE TRIGGER lifted BEFORE INSERT OR UPDATE ON key_usage FOR EACH ROW EXECUTE FUNCTION count_one_request();
  CREATE OR REPLACE TRIGGER lifted BEFORE INSERT OR UPDATE ON agency_usage FOR EACH ROW EXECUTE FUNCTION count_one()`;

/** From now on every request of a stack is the first of its minute and day: for tests that are not about limits. */
export async function liftLimits(stack: WithDatabases): Promise<void> {
  await sql(stack, 'gateway', LIFT);
}
