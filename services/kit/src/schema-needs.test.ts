import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { makeDatabase } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { untilReady, watchHealth } from './health.ts';
import { databaseDependency, migrate } from './migrate.ts';
import { readNeeds } from './schema-needs.ts';

const SECONDS = 5_000;
const TOO_NEW = 'the schema is too new: it needs a release that knows migration 0003; this one ends with 0002';

const STEPS = {
  '0001_first.sql': '-- Up Migration\n\nCREATE TABLE steps (step integer); INSERT INTO steps VALUES (1);',
  '0002_second.sql': 'INSERT INTO steps VALUES (2);',
  '0003_third.sql': 'INSERT INTO steps VALUES (3);',
  /** Bears the release that ends with 0002. */
  '0004_fourth.sql': '-- Up Migration\n-- needs: 0002\n\nINSERT INTO steps VALUES (4);',
  /** Bears those that know 0003. */
  '0005_fifth.sql': '-- needs: 0003\n-- Up Migration\nINSERT INTO steps VALUES (5);',
};
type Step = keyof typeof STEPS;
const ORDER = Object.keys(STEPS).sort() as Step[];

test('a release runs on the schema of a later one that bears it: its migration changes nothing and says so', async (t) => {
  const { release, shown, lines } = await scene(t);
  await release(4).migrate();
  const before = await shown();
  await release(2).migrate();
  assert.deepEqual(await shown(), before);
  assert.deepEqual(before.steps, [1, 2, 3, 4]);
  const { msg, later } = lines.at(-1) ?? {};
  assert.match(String(msg), /that of a later release/);
  assert.deepEqual(later, ['0003_third', '0004_fourth']);
  await release(2).dependency().check();
});

test('a release whose schema has become too new fails by name: its migration, which changes nothing, and its health', async (t) => {
  const { release, shown } = await scene(t);
  await release(5).migrate();
  const before = await shown();
  await assert.rejects(release(2).migrate(), { message: TOO_NEW });
  assert.deepEqual(await shown(), before);
  await assert.rejects(release(2).dependency().check(), { message: TOO_NEW });
  await release(3).migrate();
  await release(3).dependency().check();
});

test('a service becomes unready when its schema becomes too new, does not become ready on one, and says why once', async (t) => {
  const { release } = await scene(t);
  await release(2).migrate();
  const told: object[] = [];
  const logger = { info: () => {}, warn: (about: object) => void told.push(about) };
  const watch = () => watchHealth({ dependencies: [{ ...release(2).dependency(), everyMs: 20 }], logger });
  const running = await watch();
  t.after(() => running.stop());
  await untilReady(running);
  await release(4).migrate();
  assert.equal(running.report().state, 'ready');
  await release(5).migrate();
  await until(() => running.report().state === 'unready', SECONDS);
  assert.equal(running.report().dependencies[0]?.reason, TOO_NEW);
  assert.deepEqual(told, [{ dependency: 'postgresql', is_vital: true, reason: TOO_NEW }]);
  const starting = await watch();
  t.after(() => starting.stop());
  assert.deepEqual([starting.report().state, starting.report().dependencies[0]?.reason], ['starting', TOO_NEW]);
});

test('a migration that fails leaves no need behind', async (t) => {
  const { release, write } = await scene(t);
  await release(2).migrate();
  write(5, '0005_fifth.sql', '-- needs: 0005\nINSERT INTO nowhere VALUES (5);');
  await assert.rejects(release(5).migrate(), /migration 0005_fifth failed: relation "nowhere" does not exist/);
  await release(4).dependency().check();
});

test('a need is a line at the head that names this migration or an earlier one', () => {
  const cases = [
    ['-- needs: 0004\nSELECT 1', '0004'],
    ['-- Up Migration\n\n-- Why.\n-- needs: 0007 \r\nSELECT 1', '0007'],
    ['-- It needs an index.\nSELECT 1', null],
    ["SELECT 1;\n\n\n\n\n-- needs: 0004\nSELECT '-- needs: 0004'", null],
  ] as const;
  for (const [sql, needs] of cases) assert.equal(readNeeds('/of/0007_seven.sql', sql), needs, sql);
  for (const wrong of ['-- needs: 0008', '-- needs: 4', '-- Needs: 0004_requests', '--needs: 0004', '-- needs:']) {
    assert.throws(() => readNeeds('/of/0007_seven.sql', wrong), /must name this migration or an earlier one/, wrong);
  }
});

/** One database, and every release as the folder of its first migrations. */
async function scene(t: TestContext) {
  const { url, open } = await makeDatabase(t);
  const database = open();
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const folders = new Map<number, string>();

  function folderOf(length: number): string {
    const known = folders.get(length);
    if (known !== undefined) return known;
    const dir = mkdtempSync(path.join(tmpdir(), 'pfq-release-'));
    t.after(() => rmSync(dir, { recursive: true }));
    for (const file of ORDER.slice(0, length)) writeFileSync(path.join(dir, file), STEPS[file]);
    folders.set(length, dir);
    return dir;
  }
  return {
    lines,
    write: (length: number, file: Step, sql: string) => writeFileSync(path.join(folderOf(length), file), sql),
    release: (length: number) => ({
      migrate: () => migrate({ databaseUrl: url, dir: folderOf(length), logger }),
      dependency: () => {
        const dependency = databaseDependency(url, folderOf(length));
        t.after(() => dependency.end?.());
        return dependency;
      },
    }),
    shown: async () => ({
      steps: (await database.read<{ step: number }>('SELECT step FROM steps ORDER BY step', [])).map(
        ({ step }) => step,
      ),
      migrations: await database.read('SELECT id, name, run_on FROM schema_migrations ORDER BY id', []),
      needs: await database.read('SELECT migration, needs FROM schema_needs ORDER BY migration', []),
    }),
  };
}
