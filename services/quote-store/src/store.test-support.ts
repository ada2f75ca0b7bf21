import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import type { Database } from '@pfq/kit/postgres';
import { newId } from '@pfq/kit/ids';
import { createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import type { NewQuote } from './domain/quote.ts';

export const TENANT = { agencyId: 'agy_1', mode: 'test' } as const;
const logger = createLogger({ service: 'test', level: 'error', format: 'json' });

export type MadeDatabase = TestDatabase & {
  /** A new connection pool, closed after the test. */
  readonly open: () => Database;
};

/** An empty database of its own, removed after the test. */
export async function makeDatabase(t: TestContext): Promise<MadeDatabase> {
  const made = await createTestDatabase();
  const opened: Database[] = [];
  t.after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await made.drop();
  });
  return {
    ...made,
    open() {
      const database = openDatabase(made.url, logger);
      opened.push(database);
      return database;
    },
  };
}

export async function makeMigratedDatabase(t: TestContext): Promise<MadeDatabase> {
  const made = await makeDatabase(t);
  await migrate({ databaseUrl: made.url, dir: `${import.meta.dirname}/../migrations`, logger });
  return made;
}

export function newQuote(changes: Partial<NewQuote> = {}): NewQuote {
  return {
    id: newId('qte_', Date.now()),
    brokerId: 'brk_1',
    createdAt: new Date('2026-11-20T10:00:00.123Z'),
    expiresAt: new Date('2026-12-20T10:00:00.123Z'),
    requestMembers: Buffer.from('"metadata":{}'),
    pricedMembers: Buffer.from('"options":[]'),
    deal: '{}',
    pricedUnder: '{}',
    hostedLinkHash: randomBytes(32),
    ...changes,
  };
}
