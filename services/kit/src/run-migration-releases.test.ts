import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../tests/support/until.ts';
import { migrateDatabase } from './run-migration.ts';
import { makeRoles } from './schema-roles.test-support.ts';

const SECONDS = 20_000;

test('a release that is interrupted between its tables and its rights takes none from a later one', async (t) => {
  const { older, later, mayRemove, waits } = await scene(t);
  const isPaused = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const migrateJobs = () => {
    isPaused.resolve();
    return goesOn.promise;
  };
  const first = older({ migrateJobs });
  await isPaused.promise;
  let isLaterDone = false;
  const second = later().finally(() => (isLaterDone = true));
  await until(() => waits() || isLaterDone, SECONDS);
  goesOn.resolve();
  assert.deepEqual(await Promise.all([first, second]), ['current', 'current']);
  assert.equal(await mayRemove(), true);
});

test('a release that runs after a later one leaves the job queue and the rights as they are, and tells so', async (t) => {
  const { older, later, mayRemove } = await scene(t);
  await later();
  const migrateJobs = () => Promise.reject(new Error('the job queue is that of the later release'));
  assert.equal(await older({ migrateJobs }), 'later');
  assert.equal(await mayRemove(), true);
});

test('a release that runs after a later one gives rights where there are none, as after a restore, and no queue', async (t) => {
  const { older, later, takeRights, mayRead } = await scene(t);
  await later();
  await takeRights();
  assert.deepEqual(await mayRead(), { schema_migrations: false, notes: false, drafts: false });
  const migrateJobs = () => Promise.reject(new Error('the job queue is that of the later release'));
  assert.equal(await older({ migrateJobs }), 'later');
  assert.deepEqual(await mayRead(), { schema_migrations: true, notes: true, drafts: true });
});

/** A schema with one table, and a later release that adds another and removes rows from it. */
async function scene(t: TestContext) {
  const made = await makeRoles(t);
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const config = { databaseUrl: made.ownerUrl, serviceRole: made.role, waitMs: 0 };
  const first = { '0001_notes.sql': 'CREATE TABLE notes (id integer)' };
  const older = folder(t, first);
  const later = folder(t, { ...first, '0002_drafts.sql': 'CREATE TABLE drafts (id integer)' });
  const owner = made.openAsOwner();
  return {
    older: (schema: { readonly migrateJobs: () => Promise<void> }) =>
      migrateDatabase(config, { dir: older, ...schema, logger }),
    later: () => migrateDatabase(config, { dir: later, removesFrom: ['drafts'], logger }),
    /** As a dump without rights leaves the tables. */
    takeRights: () => owner.write(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM "${made.role}"`, []),
    mayRead: async () => {
      const rows = await owner.read<{ relname: string; may: boolean }>(
        "SELECT relname, has_table_privilege($1, oid, 'SELECT') AS may FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
        [made.role],
      );
      return Object.fromEntries(rows.map(({ relname, may }) => [relname, may]));
    },
    waits: () => lines.some((line) => line.includes('another process is migrating')),
    mayRemove: async () => {
      const [row] = await owner.read<{ may: boolean }>("SELECT has_table_privilege($1, 'drafts', 'DELETE') AS may", [
        made.role,
      ]);
      return row?.may;
    },
  };
}

function folder(t: TestContext, migrations: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'pfq-release-'));
  t.after(() => rmSync(dir, { recursive: true }));
  for (const [file, sql] of Object.entries(migrations)) writeFileSync(path.join(dir, file), sql);
  return dir;
}
