import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import type { Database } from '@pfq/kit/postgres';
import { createSeal } from '@pfq/kit/seal';
import { makeDatabase, setTime } from '../../../../tests/support/database.ts';
import type { OpenableDatabase } from '../../../../tests/support/database.ts';
import type { Claim } from '../domain/idempotency.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import { postgresIdempotencyStore } from './postgres-idempotency.ts';

export type Scene = { readonly store: IdempotencyStore; readonly setTime: (now: string) => Promise<void> };

export const SECRET = 'a secret that is long enough for this';
/** The time in a new scene. */
export const START = '2026-11-20T12:00:00.000Z';
export const CREATED = { status: 201, version: '2026-09-23', body: '{"hosted_url":"https://pay.example/q/a-token"}' };
const MIGRATIONS = path.join(import.meta.dirname, '../../migrations');

export async function openPostgres(t: TestContext): Promise<PostgresScene> {
  const { url, open } = await makeDatabase(t);
  const logger = createLogger({ service: 'test', level: 'error', format: 'json' });
  await migrate({ databaseUrl: url, dir: MIGRATIONS, logger });
  const database = open();
  await setTime(database, START);
  const store = postgresIdempotencyStore(database, createSeal([SECRET]));
  return { store, setTime: (now) => setTime(database, now), database, url, open };
}

type PostgresScene = Scene & Pick<OpenableDatabase, 'url' | 'open'> & { readonly database: Database };

/** One attempt at the key k of one agency in test mode, with an owner and a write of its own. */
export function attempt(changes: Partial<Claim> = {}): Claim {
  return {
    agencyId: 'agy_1',
    mode: 'test',
    key: 'k',
    owner: randomUUID(),
    method: 'POST',
    path: '/v1/quotes',
    bodyHash: createHash('sha256').update('{}').digest(),
    brokerId: 'brk_1',
    writeId: `qte_${randomUUID()}`,
    requestId: `req_${randomUUID()}`,
    ...changes,
  };
}
