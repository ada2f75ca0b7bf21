import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { newId } from '@pfq/kit/ids';
import { makeDatabase } from '../../../tests/support/database.ts';
import type { OpenableDatabase } from '../../../tests/support/database.ts';
import type { NewQuote } from './domain/quote.ts';

export const TENANT = { agencyId: 'agy_1', mode: 'test' } as const;
const logger = createLogger({ service: 'test', level: 'error', format: 'json' });

export async function makeMigratedDatabase(t: TestContext): Promise<OpenableDatabase> {
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
    deal: Buffer.from('what was priced'),
    pricedUnder: Buffer.from('its versions'),
    hostedLinkHash: randomBytes(32),
    ...changes,
  };
}
