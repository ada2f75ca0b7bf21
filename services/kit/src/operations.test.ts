import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { HealthReport } from './health.ts';
import { serveOperations } from './operations.ts';

const AWAY = { name: 'postgresql', isVital: true, isUp: false, reason: 'connect ECONNREFUSED' } as const;
const READY: HealthReport = { state: 'ready', dependencies: [] };
const PLACES = ['/livez', '/startupz', '/readyz'] as const;

const ANSWERS: readonly { readonly state: HealthReport['state']; readonly statuses: readonly number[] }[] = [
  { state: 'starting', statuses: [200, 503, 503] },
  { state: 'ready', statuses: [200, 200, 200] },
  { state: 'unready', statuses: [200, 200, 503] },
  { state: 'draining', statuses: [200, 200, 503] },
];

for (const { state, statuses } of ANSWERS) {
  test(`${PLACES.join(', ')} answer ${statuses.join(', ')} where a service is ${state}`, async (t) => {
    const ask = await serve(t, { state, dependencies: [AWAY] });
    const answers = await Promise.all(PLACES.map(ask));
    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses,
    );
  });
}

test('an answer says what the service is, in which state, and what of its dependencies is away and why', async (t) => {
  const ask = await serve(t, { state: 'unready', dependencies: [AWAY] });
  const { body, type } = await ask('/readyz?verbose');
  assert.equal(type, 'application/json');
  const dependencies = [{ name: 'postgresql', vital: true, up: false, reason: 'connect ECONNREFUSED' }];
  assert.deepEqual(JSON.parse(body), { service: 'pricing', state: 'unready', dependencies });
});

test('metrics are given where there are any, and nothing else is there', async (t) => {
  const ask = await serve(t, READY);
  assert.equal((await ask('/metrics')).body, 'pfq_ready 1');
  for (const path of ['/', '/metrics/x', '/ready', '/constructor']) assert.equal((await ask(path)).status, 404);
  const withoutMetrics = await serve(t, READY, { metricsPage: null });
  assert.equal((await withoutMetrics('/metrics')).status, 404);
});

async function serve(t: TestContext, report: HealthReport, changes: { metricsPage?: null } = {}) {
  const server = await serveOperations({
    host: '127.0.0.1',
    port: 0,
    service: 'pricing',
    report: () => report,
    metricsPage: (_request, response) => response.end('pfq_ready 1'),
    ...changes,
  });
  t.after(() => server.stop());
  return async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return { status: answer.status, type: answer.headers.get('Content-Type'), body: await answer.text() };
  };
}
