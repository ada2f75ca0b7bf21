import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryOf } from './postgres-summary.ts';

const SUMMARIES: Readonly<Record<string, string>> = {
  'SELECT id FROM quotes WHERE id = $1': 'SELECT quotes',
  'select id from only "quotes" q': 'SELECT quotes',
  'SELECT id FROM emails WHERE id = $1 FOR NO KEY UPDATE OF emails': 'SELECT emails',
  "SELECT extract(epoch FROM now() - at), note FROM emails WHERE note = 'FROM here'": 'SELECT emails',
  'SELECT id FROM quotes WHERE note IS DISTINCT FROM other': 'SELECT quotes',
  'SELECT l.id FROM hosted_links l JOIN (quotes q LEFT JOIN interests i ON true) ON true': 'SELECT hosted_links',
  'SELECT max(n) FROM (SELECT n FROM numbers) AS inner_ones': 'SELECT numbers',
  'SELECT pg_notify($1, $2)': 'SELECT pg_notify',
  'SELECT id FROM queue.add_job($1::text, key => $2)': 'SELECT queue.add_job',
  'SELECT $1::int': 'SELECT',
  'INSERT INTO notes (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = $1': 'INSERT notes',
  'INSERT INTO copies SELECT id FROM notes': 'INSERT copies',
  '-- who: DELETE FROM keys\nUPDATE emails SET reason = NULL /* INSERT INTO x */': 'UPDATE emails',
  'DELETE FROM keys WHERE id IN (SELECT id FROM others FOR UPDATE SKIP LOCKED)': 'DELETE keys',
  'WITH old AS (SELECT id FROM notes), gone AS (DELETE FROM notes RETURNING id) SELECT id FROM gone': 'DELETE notes',
  'WITH revoked AS (UPDATE links SET at = now() RETURNING id) INSERT INTO links SELECT id FROM revoked': 'INSERT links',
  'WITH RECURSIVE tree (id) AS (SELECT id FROM roots UNION ALL SELECT id FROM tree) SELECT id FROM tree':
    'SELECT roots',
  BEGIN: 'BEGIN',
  COMMIT: 'COMMIT',
  'SET lock_timeout = 3': 'SET',
  '': '',
};
for (const [sql, summary] of Object.entries(SUMMARIES)) {
  test(`${JSON.stringify(sql)} is called ${JSON.stringify(summary)}`, () => assert.equal(summaryOf(sql), summary));
}

test('no value that stands in a statement gets into its summary', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zA-Z ]{3,20}canary[a-z ]*$/), (value) => {
      const sql = `SELECT id FROM notes WHERE text = '${value}' AND other = 'FROM ''${value}'' x'`;
      assert.equal(summaryOf(sql), 'SELECT notes');
    }),
  );
});
