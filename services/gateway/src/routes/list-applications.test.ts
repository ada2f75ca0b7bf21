import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createClient } from '@connectrpc/connect';
import { OutcomeUnknownError, ServiceError, unavailable } from '@pfq/kit/errors';
import { createLogger } from '@pfq/kit/log';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { serveRpc } from '@pfq/kit/rpc/server';
import { ApplicationService } from '@pfq/proto/application/v1/application_pb';
import type { ListApplicationsRequest } from '@pfq/proto/application/v1/application_pb';
import { fullApplication } from '../applications/application.test-support.ts';
import type { Access } from '../domain/access.ts';
import {
  accessStore,
  accessWith,
  errorOf,
  LIVE_KEY,
  outcomeOf,
  startGateway,
} from '../running-gateway.test-support.ts';
import type { GatewayParts } from '../running-gateway.test-support.ts';

const ID = 'app_0000000000000000000009';
const INACTIVE = { id: 'brk_ana', email: 'ana@agency.example', name: 'Ana Ruiz', status: 'inactive' } as const;
const EMPTY = '{"object":"list","data":[],"has_more":false,"next_cursor":null}';

/** A live agency key that may list applications, but for `access`, and what its requests are answered with. */
async function start(t: TestContext, parts: GatewayParts & { readonly rights?: Partial<Access> } = {}) {
  const { rights, ...others } = parts;
  const { store } = accessStore({ [LIVE_KEY]: accessWith({ mode: 'live', scopes: ['applications:read'], ...rights }) });
  const gateway = await startGateway(t, { access: store, ...others });
  return (query = '', method = 'GET') => gateway.ask(method, `/v1/applications${query}`, { key: LIVE_KEY });
}

const failing = (error: Error) => ({
  listApplications() {
    throw error;
  },
});

test('a page is the public list of what the application service gives', async (t) => {
  const list = await start(t, { listApplications: () => ({ applications: [fullApplication()], hasMore: true }) });
  const { status, headers, body } = await list();
  assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
  const { data, ...rest } = JSON.parse(body);
  assert.deepEqual(rest, { object: 'list', has_more: true, next_cursor: fullApplication().id });
  assert.deepEqual([data.length, data[0].id, data[0].livemode], [1, fullApplication().id, true]);
});

for (const [type, brokerEmail] of [
  ['agency', undefined],
  ['broker', 'Ana@Agency.example'],
] as const) {
  test(`with a key of type ${type} the service is asked for ${brokerEmail ?? "every broker's"} applications of the agency`, async (t) => {
    const asked: (string | null)[] = [];
    const wanted: ListApplicationsRequest[] = [];
    const list = await start(t, {
      rights: { type },
      listApplications(request, { requestHeader }) {
        asked.push(requestHeader.get('pfq-agency-id'), requestHeader.get('pfq-mode'));
        wanted.push(request);
        return {};
      },
    });
    assert.equal((await list()).body, EMPTY);
    await list(`?limit=7&starting_after=${ID}&client_reference_id=a+b`);
    assert.deepEqual(asked, ['agy_1', 'live', 'agy_1', 'live']);
    assert.deepEqual(
      wanted.map((request) => [request.limit, request.brokerEmail, request.startingAfter, request.clientReferenceId]),
      [
        [20, brokerEmail, undefined, undefined],
        [7, brokerEmail, ID, 'a b'],
      ],
    );
  });
}

test('a test key gets an empty list without the service being asked, and can name no cursor', async (t) => {
  const list = await start(t, { rights: { mode: 'test' } });
  assert.equal((await list('?limit=5&client_reference_id=x')).body, EMPTY);
  assert.equal(outcomeOf(await list(`?starting_after=${ID}`)), '400 INVALID_PAGINATION');
});

test('a cursor is refused in the same words with a test key and wherever the service does not show it', async (t) => {
  const live = await start(t, failing(new ServiceError('INVALID_PAGINATION', { message: 'It is of agy_2.' })));
  const empty = await start(t, { rights: { mode: 'test' } });
  const answers = [
    await live('?starting_after=x'),
    await live(`?starting_after=${ID}`),
    await empty('?starting_after=x'),
  ];
  const told = answers.map((answer) => JSON.stringify({ ...errorOf(answer), request_id: '' }));
  assert.deepEqual([...new Set(answers.map(outcomeOf)), new Set(told).size], ['400 INVALID_PAGINATION', 1]);
  assert.equal(errorOf(answers[0] ?? { body: '' })['param'], 'starting_after');
});

const ORDER: readonly (readonly [refusal: string, query: string, rights: Partial<Access>])[] = [
  ['403 MISSING_SCOPE', '?a=1&limit=0', { scopes: ['quotes:read'], defaultBroker: INACTIVE }],
  ['422 VALIDATION_FAILED', '?a=1&limit=0', { defaultBroker: INACTIVE }],
  ['422 VALIDATION_FAILED', '?limit=0&limit=0', { defaultBroker: INACTIVE }],
  ['400 INVALID_PAGINATION', `?limit=0&starting_after=${ID}`, { defaultBroker: INACTIVE }],
  ['403 DEFAULT_BROKER_INACTIVE', '?starting_after=x', { defaultBroker: INACTIVE }],
  ['403 DEFAULT_BROKER_INACTIVE', '?starting_after=x', { defaultBroker: INACTIVE, mode: 'test' }],
];

for (const [refusal, query, rights] of ORDER) {
  test(`in the order of checks: ${refusal} for ${query} of a ${rights.mode ?? 'live'} key, before the service is asked`, async (t) => {
    const list = await start(t, { rights });
    assert.equal(outcomeOf(await list(query)), refusal);
  });
}

test('every problem of a query is told at once, each under its parameter', async (t) => {
  const list = await start(t);
  const error = errorOf(await list('?limt=1&starting_after=a&starting_after=b&limit=0'));
  assert.deepEqual(error['details'], [
    { code: 'UNKNOWN_FIELD', param: 'limt', message: 'limt is not a known parameter. Did you mean "limit"?' },
    {
      code: 'TOO_MANY',
      param: 'starting_after',
      message: 'starting_after must be sent once at most; it was sent 2 times.',
    },
  ]);
  assert.equal(error['param'], 'limt');
});

test('HEAD is answered as GET is, without the body', async (t) => {
  const list = await start(t, { listApplications: () => ({ applications: [fullApplication()] }) });
  const [get, head] = [await list(), await list('', 'HEAD')];
  assert.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', get.headers['content-length']]);
});

test('other methods are refused with those that the path knows', async (t) => {
  const list = await start(t);
  const { status, headers } = await list('', 'POST');
  assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
});

test('a page of a hundred applications of 64 KiB is answered whole', async (t) => {
  const clientReferenceId = 'x'.repeat(64 * 1024);
  const applications = Array.from({ length: 100 }, () => fullApplication({ clientReferenceId }));
  const service = await serveRpc({
    routes: (router) => router.service(ApplicationService, { listApplications: () => ({ applications }) }),
    host: '127.0.0.1',
    port: 0,
    operatorToken: 'operator-token-of-the-gateway-tests',
    logger: createLogger({ service: 'test', level: 'error', format: 'json' }),
    tls: null,
    connectionAgeMs: null,
  });
  const transport = createRpcTransport(`grpc://127.0.0.1:${service.port}`, null);
  t.after(async () => {
    transport.close();
    await service.stop();
  });
  const list = await start(t, { applications: createClient(ApplicationService, transport) });
  const { status, body } = await list('?limit=100');
  assert.equal(status, 200);
  assert.ok(JSON.parse(body).data.every((one: unknown) => /x{65536}/.test(JSON.stringify(one))));
});

test('a service that is away, or has lost its database, is a 503; its fault is a 500', async (t) => {
  const nowhere = createRpcTransport('grpc://127.0.0.1:1', null);
  t.after(() => nowhere.close());
  const cases = [
    [{ applications: createClient(ApplicationService, nowhere) }, '503 SERVICE_UNAVAILABLE'],
    [failing(unavailable(new Error('no database'))), '503 SERVICE_UNAVAILABLE'],
    [failing(new OutcomeUnknownError(new Error('cancelled'))), '503 SERVICE_UNAVAILABLE'],
    [failing(new ServiceError('INTERNAL', { message: 'Unexpected error.' })), '500 INTERNAL'],
    [failing(new ServiceError('VALIDATION_FAILED', { message: 'A bug of the gateway.' })), '500 INTERNAL'],
  ] as const;
  for (const [parts, outcome] of cases) {
    const list = await start(t, { ...parts, requestTimeoutMs: 1_000 });
    const answer = await list();
    assert.equal(outcomeOf(answer), outcome);
    if (answer.status === 503) assert.equal(answer.headers['retry-after'], '30');
  }
});
