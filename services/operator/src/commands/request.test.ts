import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { ShowRequestResponseSchema } from '@pfq/proto/gateway/v1/request_admin_pb';
import assert from 'node:assert/strict';
import test from 'node:test';
import { usePfq } from '../testing/use-pfq.ts';

const REQUEST = 'req_0000000000000000000001';
const REPLAY = 'req_0000000000000000000002';
const RECEIVED_AT = '2026-11-20T09:30:00.000Z';

const { fake, pfq } = usePfq();

const CREATED = {
  requestId: REQUEST,
  receivedAt: timestampFromDate(new Date(RECEIVED_AT)),
  method: 'POST',
  path: '/v1/quotes',
  route: '/v1/quotes',
  status: 201,
  durationUs: 48_250n,
  agencyId: 'agy_0000000000000000000001',
  mode: Mode.TEST,
  keyId: 'key_0000000000000000000001',
  quoteId: 'qte_0000000000000000000001',
  apiVersion: '2026-09-23',
  hasIdempotencyKey: true,
  traceId: '0af7651916cd43dd8448eb211c80319c',
};
const SHOWN = {
  id: REQUEST,
  received_at: RECEIVED_AT,
  method: 'POST',
  path: '/v1/quotes',
  route: '/v1/quotes',
  status: 201,
  duration_ms: 48.25,
  error_code: null,
  agency_id: 'agy_0000000000000000000001',
  mode: 'test',
  key_id: 'key_0000000000000000000001',
  quote_id: 'qte_0000000000000000000001',
  api_version: '2026-09-23',
  has_idempotency_key: true,
  replay_of: null,
  trace_id: '0af7651916cd43dd8448eb211c80319c',
};

test('a request is shown with all that is kept of it and with the later ones that got the same answer', async () => {
  const receivedAt = timestampFromDate(new Date('2026-11-20T09:31:00.000Z'));
  const replays = [{ requestId: REPLAY, receivedAt }];
  fake().state.requests.set(REQUEST, create(ShowRequestResponseSchema, { request: CREATED, replays }));
  const { exitCode, output, errors } = await pfq('request', 'show', REQUEST, '--json');
  assert.deepEqual([exitCode, errors], [0, '']);
  assert.deepEqual(JSON.parse(output), {
    ...SHOWN,
    replays: [{ id: REPLAY, received_at: '2026-11-20T09:31:00.000Z' }],
  });
  const { output: text } = await pfq('request', 'show', REQUEST);
  assert.match(text, /^duration_ms +48\.25$/m);
  assert.match(text, /^trace_id +0af7651916cd43dd8448eb211c80319c$/m);
  assert.match(
    text,
    new RegExp(`^Given the same answer later:\\n\\nid +received_at\\n${REPLAY} +2026-11-20T09:31`, 'm'),
  );
});

test('of a replay the request is shown whose answer it was given', async () => {
  fake().state.requests.set(
    REPLAY,
    create(ShowRequestResponseSchema, { request: { ...CREATED, requestId: REPLAY, replayOf: REQUEST } }),
  );
  const { output } = await pfq('request', 'show', REPLAY);
  assert.match(output, new RegExp(`^replay_of +${REQUEST}$`, 'm'));
  assert.doesNotMatch(output, /same answer later/);
});

test('of a caller that was not known and broke off, what is not known is null', async () => {
  const { requestId, receivedAt, method, path, apiVersion } = CREATED;
  const bare = {
    requestId,
    receivedAt,
    method,
    path,
    route: 'unmatched',
    apiVersion,
    durationUs: 90n,
    errorCode: 'INVALID_API_KEY',
  };
  fake().state.requests.set(REQUEST, create(ShowRequestResponseSchema, { request: bare }));
  const { output } = await pfq('request', 'show', REQUEST, '--json');
  assert.partialDeepStrictEqual(JSON.parse(output), {
    status: null,
    duration_ms: 0.09,
    error_code: 'INVALID_API_KEY',
    agency_id: null,
    mode: null,
    key_id: null,
    quote_id: null,
    has_idempotency_key: false,
    trace_id: null,
    replays: [],
  });
});
