import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, startGateway, TEST_KEY } from '../running-gateway.test-support.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';

test('an example is refused with the very code that it is shown under', () => {
  for (const [code, example] of Object.entries(ERROR_EXAMPLES)) assert.equal(example?.code ?? code, code);
});

test('INTERNAL is shown in the words of the service', async (t) => {
  const gateway = await startGateway(t, { getQuote: () => ({}) });
  const { code, message } = errorOf(await gateway.ask('GET', '/v1/quotes/qte_1', { key: TEST_KEY }));
  assert.deepEqual([code, message], ['INTERNAL', ERROR_EXAMPLES.INTERNAL?.message]);
});
