import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { makeDatabase } from '../../../../tests/support/database.ts';
import { incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { postgresApplicationStore } from './postgres.ts';
import type { Scene } from './scene.test-support.ts';
import { testStoreContract } from './store-contract.test-support.ts';

const logger = createLogger({ service: 'test', level: 'error', format: 'json' });
const AUDITED = 'SELECT actor, action, details FROM audit_log WHERE target = $1 ORDER BY id';

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
    actorsOf: async (id) => (await database.read<{ actor: string }>(AUDITED, [id])).map(({ actor }) => actor),
  };
}

describe('applications in PostgreSQL', () => {
  testStoreContract(makeScene);

  test('the audit log says what was done to which application of which agency, and is only ever added to', async (t) => {
    const database = (await makeMigrated(t)).open();
    const store = postgresApplicationStore(database);
    const agencyId = newAgencyId();
    const application = newApplication();
    await store.upsert(incoming(agencyId, application), 'dana');
    await store.upsert(incoming(agencyId, { ...application, status: 'active' }), 'mail intake');
    assert.deepEqual(await database.read(AUDITED, [application.id]), [
      { actor: 'dana', action: 'application.create', details: { agency_id: agencyId } },
      { actor: 'mail intake', action: 'application.update', details: { agency_id: agencyId } },
    ]);
    for (const change of ["UPDATE audit_log SET actor = 'eve'", 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
      await assert.rejects(database.write(change, []), /append-only/);
    }
  });
});
