import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { errorOf, quoteOf } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { useStack } from '../support/use-stack.ts';
import { until } from '../support/until.ts';

const BODY = exampleBody('roofing-contractor');
const RECOVERY_MS = 20_000;

describe('PostgreSQL killed under a running stack', () => {
  const { stack, api } = useStack();

  it('gives 503 or the right answer at every moment, loses no quote, and is served again without help', async () => {
    const before = quoteOf(await api().post(BODY));
    const postmaster = Number(
      readFileSync(path.join(stack().folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0],
    );
    const answers: Answer[] = [];
    const call = async () => {
      const answer = await api().post(BODY);
      answers.push(answer);
      return answer.status;
    };
    process.kill(postmaster, 'SIGKILL');
    await until(async () => (await call()) === 503, RECOVERY_MS);
    await until(async () => (await call()) === 201, RECOVERY_MS);

    const refused = answers.filter(({ status }) => status !== 201);
    for (const refusal of refused) {
      assert.equal(refusal.status, 503);
      assert.equal(errorOf(refusal).code, 'SERVICE_UNAVAILABLE');
      assert.equal(refusal.headers.get('Retry-After'), '30');
    }
    assert.deepEqual(quoteOf(await api().get(before.id)), { ...before, hosted_url: null });
  });
});
