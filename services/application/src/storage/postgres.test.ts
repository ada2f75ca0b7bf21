import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { postgresAuditLog } from '@pfq/kit/audit';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { makeDatabase } from '../../../../tests/support/database.ts';
import { incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { postgresApplicationStore } from './postgres.ts';
import type { Scene } from './scene.test-support.ts';
import { testStoreContract } from './store-contract.test-support.ts';

const logger = createLogger({ service: 'test', level: 'error', format: 'json' });

async function makeMigrated(t: TestContext) {
  const made = await makeDatabase(t);
  await migrate({ databaseUrl: made.url, dir: join(import.meta.dirname, '../../migrations'), logger });
  return made;
}

async function makeScene(t: TestContext): Promise<Scene> {
  const made = await makeMigrated(t);
  const database = made.open();
  return {
    ...made,
    store: postgresApplicationStore(database),
    other: postgresApplicationStore(made.open()),
    audit: postgresAuditLog(database),
  };
}

describe('applications in PostgreSQL', () => {
  testStoreContract(makeScene);

  test('the audit log is only ever added to', async (t) => {
    const database = (await makeMigrated(t)).open();
    await postgresApplicationStore(database).upsert(incoming(newAgencyId(), newApplication()), 'dana');
    for (const change of ["UPDATE audit_log SET actor = 'eve'", 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
      await assert.rejects(database.write(change, []), /append-only/);
    }
  });
});
