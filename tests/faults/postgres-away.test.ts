import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { errorOf, quoteOf } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { sql } from '../support/sql.ts';
import { useStack } from '../support/use-stack.ts';
import { until } from '../support/until.ts';

const BODY = exampleBody('roofing-contractor');
const RECOVERY_MS = 20_000;

describe('PostgreSQL killed under a running stack', () => {
  const { stack, api } = useStack();

  it('gives 503 or the right answer at every moment, stores what it answered 201 and nothing else, and is served again without help', async () => {
    const first = await api().post(BODY);
    const postmaster = Number(
      readFileSync(path.join(stack().folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0],
    );
    const answers = [first];
    const call = async () => {
      const answer = await api().post(BODY);
      answers.push(answer);
      return answer.status;
    };
    process.kill(postmaster, 'SIGKILL');
    await until(async () => (await call()) === 503, RECOVERY_MS);
    await until(async () => (await call()) === 201, RECOVERY_MS);

    for (const refusal of answers.filter(({ status }) => status !== 201)) {
      assert.equal(refusal.status, 503);
      assert.equal(errorOf(refusal).code, 'SERVICE_UNAVAILABLE');
      assert.equal(refusal.headers.get('Retry-After'), '30');
    }
    const quotes = answers.filter(({ status }) => status === 201).map(quoteOf);
    for (const quote of quotes) {
      assert.deepEqual(quoteOf(await api().get(quote.id)), { ...quote, hosted_url: null });
    }
    const stored = await sql(stack(), 'quote_store', 'SELECT id FROM quotes');
    const { test: demo, live } = stack().file.demo_quotes;
    const answered = [demo?.id, live?.id, ...quotes.map(({ id }) => id)];
    assert.deepEqual(new Set(stored.map(({ id }) => id)), new Set(answered));
  });
});
