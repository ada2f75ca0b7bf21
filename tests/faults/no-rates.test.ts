import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { errorOf } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { sql } from '../support/sql.ts';
import type { RunningStack } from '../support/stack.ts';
import { useStack } from '../support/use-stack.ts';
import { until } from '../support/until.ts';

const BODY = exampleBody('roofing-contractor');
const SECONDS = 5_000;
/** As if none had ever been loaded; the triggers that keep versions for ever must look away for that. */
const FORGET_RATES = `DO $$ BEGIN
  PERFORM set_config('session_replication_role', 'replica', true);
  UPDATE current_versions SET rate_sheet = NULL;
  DELETE FROM rate_sheets;
END $$`;

describe('a stack without a usable rate sheet', () => {
  const { stack, api } = useStack();

  it('answers 503 with Retry-After 30 and stores nothing, until pfq loads a sheet: then it prices without a restart', async () => {
    assert.equal((await api().post(BODY)).status, 201);
    await sql(stack(), 'pricing', FORGET_RATES);
    const stored = await countQuotes(stack());
    const refusal = await api().post(BODY);
    assert.equal(refusal.status, 503);
    assert.equal(errorOf(refusal).code, 'SERVICE_UNAVAILABLE');
    assert.equal(refusal.headers.get('Retry-After'), '30');
    assert.equal(await countQuotes(stack()), stored);

    const file = path.join(stack().folder, 'rates.json');
    writeFileSync(file, JSON.stringify({ as_of: '2026-11-20', source: 'a test', rates: { 1: 0.04, 12: 0.041 } }));
    const loaded = await stack().pfq('rates', 'load', file);
    assert.equal(loaded.code, 0, loaded.stderr);
    await until(async () => (await api().post(BODY)).status === 201, SECONDS);
  });

  it('answers 503 while its sheet is older than the settings allow', async () => {
    const { stdout } = await stack().pfq('settings', 'show', '--json');
    const file = path.join(stack().folder, 'settings.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(stdout), rate_sheet_max_age_days: 7 }));
    const old = path.join(stack().folder, 'old.json');
    writeFileSync(old, JSON.stringify({ as_of: '2020-01-01', source: 'a test', rates: { 1: 0.04 } }));
    assert.equal((await stack().pfq('rates', 'load', old)).code, 0);
    assert.equal((await api().post(BODY)).status, 201);
    const set = await stack().pfq('settings', 'set', file);
    assert.equal(set.code, 0, set.stderr);
    await until(async () => (await api().post(BODY)).status === 503, SECONDS);
  });
});

async function countQuotes(stack: RunningStack): Promise<unknown> {
  const [row] = await sql(stack, 'quote_store', 'SELECT count(*) FROM quotes');
  return row?.['count'];
}
