import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPES } from '../domain/scopes.ts';
import {
  accessStore,
  accessWith,
  errorOf,
  outcomeOf,
  startGateway,
  TEST_KEY,
} from '../running-gateway.test-support.ts';
import type { Answered } from '../running-gateway.test-support.ts';

const ID = `qte_${'0'.repeat(22)}`;

type Guarded = readonly [method: string, path: string, scope: string, outcome: string];

/** Every endpoint that needs a scope, and what a request without a body gets there once it has passed the check. */
const GUARDED: readonly Guarded[] = [
  ['POST', '/v1/quotes', 'quotes:write', '422 VALIDATION_FAILED'],
  ['POST', `/v1/quotes/${ID}/hosted-link`, 'quotes:write', '404 NOT_FOUND'],
  ['POST', `/v1/test_helpers/quotes/${ID}/interest`, 'quotes:write', '422 VALIDATION_FAILED'],
  ['GET', `/v1/quotes/${ID}`, 'quotes:read', '404 NOT_FOUND'],
  ['GET', '/v1/applications', 'applications:read', '200'],
];
const OPEN = ['/v1/whoami', '/v1/coverage-types'];
const RESERVED = ['applications:write', 'agreements:write', 'loans:read', 'webhooks:manage'];

function asks(scopes: readonly string[]) {
  const { store } = accessStore({ [TEST_KEY]: accessWith({ scopes }) });
  return { access: store };
}

function shortOutcome(answer: Answered): string {
  return answer.status === 200 ? '200' : outcomeOf(answer);
}

for (const [method, path, scope, outcome] of GUARDED) {
  test(`${method} ${path.replace(ID, '{id}')} needs ${scope} and nothing else`, async (t) => {
    const allowed = await startGateway(t, asks([scope]));
    assert.equal(shortOutcome(await allowed.ask(method, path, { key: TEST_KEY })), outcome);
    const others = SCOPES.filter((one) => one !== scope);
    const refused = await startGateway(t, asks(others));
    const answer = await refused.ask(method, path, { key: TEST_KEY });
    assert.equal(outcomeOf(answer), '403 MISSING_SCOPE');
    assert.match(String(errorOf(answer)['message']), new RegExp(`the scope ${scope}\\.`));
  });
}

test('reserved scopes can be granted and open nothing', async (t) => {
  assert.deepEqual(
    SCOPES.filter((scope) => !GUARDED.some(([, , needed]) => needed === scope)),
    RESERVED,
  );
  const gateway = await startGateway(t, asks(RESERVED));
  for (const [method, path] of GUARDED) {
    assert.equal(outcomeOf(await gateway.ask(method, path, { key: TEST_KEY })), '403 MISSING_SCOPE', path);
  }
});

test('a key without any scope can say what it is and list the coverage types', async (t) => {
  const gateway = await startGateway(t, asks([]));
  for (const path of OPEN) assert.equal((await gateway.ask('GET', path, { key: TEST_KEY })).status, 200, path);
});
