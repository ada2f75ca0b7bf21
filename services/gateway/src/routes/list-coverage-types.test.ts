import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import type { CoverageTypeEntry } from '@pfq/proto/coverage-types';
import type { Access } from '../domain/access.ts';
import { changed, fullRequest } from '../requests/sample-request.test-support.ts';
import { accessStore, accessWith, errorOf, startGateway, TEST_KEY } from '../running-gateway.test-support.ts';
import type { RunningGateway } from '../running-gateway.test-support.ts';

const PATH = '/v1/coverage-types';

async function startFor(t: TestContext, changes: Partial<Access> = {}): Promise<RunningGateway> {
  return startGateway(t, { access: accessStore({ [TEST_KEY]: accessWith(changes) }).store });
}

async function listFrom(gateway: RunningGateway): Promise<readonly CoverageTypeEntry[]> {
  const { status, body } = await gateway.ask('GET', PATH, { key: TEST_KEY });
  assert.equal(status, 200, body);
  const { object, data, ...rest } = JSON.parse(body);
  assert.deepEqual([object, rest], ['list', {}]);
  return data;
}

/** Asks for a quote with so many coverages as there are types. */
async function quoteOf(gateway: RunningGateway, types: readonly string[]) {
  const request = changed(fullRequest(), 'broker_email');
  const coverages = types.map((type) => ({ type }));
  const body = JSON.stringify(changed(request, 'policies[0].coverages', coverages));
  return gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body });
}

test('the list tells of all 26 types their name, definition, aliases and flags, and nothing else', async (t) => {
  const data = await listFrom(await startFor(t));
  assert.equal(data.length, 26);
  assert.deepEqual(
    data.map((entry) => Object.keys(entry)),
    data.map(() => ['type', 'name', 'definition', 'aliases', 'flags']),
  );
  assert.deepEqual(data, COVERAGE_TYPES);
  assert.deepEqual(
    data.find(({ type }) => type === 'windstorm'),
    {
      type: 'windstorm',
      name: 'Windstorm',
      definition: 'Wind, hurricane and hail damage written apart from the property policy, often by a coastal pool.',
      aliases: ['WIND', 'TWIA', 'Wind and hail', 'Named storm'],
      flags: ['verify_minimum_earned'],
    },
  );
});

test('every type of the list may be named in a request, no name and no alias', async (t) => {
  const gateway = await startFor(t);
  const data = await listFrom(gateway);
  const accepted = await quoteOf(
    gateway,
    data.map(({ type }) => type),
  );
  assert.equal(accepted.status, 201, accepted.body);
  for (const { type, name, aliases } of data) {
    const { details } = errorOf(await quoteOf(gateway, [name, ...aliases]));
    assert.ok(Array.isArray(details) && details.length === aliases.length + 1, `${type}: ${JSON.stringify(details)}`);
  }
});

test('it needs no scope and no active broker', async (t) => {
  const broker = { id: 'brk_ana', email: 'ana@agency.example', name: 'Ana Ruiz', status: 'inactive' } as const;
  const data = await listFrom(await startFor(t, { scopes: [], type: 'broker', defaultBroker: broker }));
  assert.equal(data.length, 26);
});

test('HEAD is answered as GET is, without the body', async (t) => {
  const gateway = await startFor(t);
  const get = await gateway.ask('GET', PATH, { key: TEST_KEY });
  const head = await gateway.ask('HEAD', PATH, { key: TEST_KEY });
  assert.deepEqual([head.status, head.body], [200, '']);
  for (const name of ['content-type', 'content-length', 'service-version', 'ratelimit-limit'])
    assert.equal(head.headers[name], get.headers[name], name);
});
