import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { fullApplication } from '../applications/application.test-support.ts';
import { startKeyedGateway } from '../keyed-writes.test-support.ts';
import { fullRequest } from '../requests/sample-request.test-support.ts';
import { accessStore, accessWith, errorOf, LIVE_KEY, startGateway, TEST_KEY } from '../running-gateway.test-support.ts';
import type { Answered } from '../running-gateway.test-support.ts';
import { apiVersions } from './api-versions.ts';
import { INVENTED } from './invented-change.test-support.ts';

const OLDER = '2026-09-23';
const NEWER = INVENTED.version;
const PINNED = { 'Service-Version': OLDER };
const VERSIONS = { versions: apiVersions([INVENTED]) };
const ODD_METADATA = '{"__proto__":"p","2":"b","1":"a","constructor":"c"}';

/** The same deal in the words of today. */
const NEWER_BODY = JSON.stringify({ ...fullRequest(), broker_email: null }).replace('{"desk":"austin"}', ODD_METADATA);
/** And as a caller of the version before would send it. */
const OLDER_BODY = NEWER_BODY.replace('"earned":false', '"kept_on_cancellation":false').replace(
  '"minimum_earned":{"rate":0.25}',
  '"minimum_earned":0.250',
);

/** Members that a quote store kept from before the change. */
const STORED = {
  request: `"client_reference_id":null,"metadata":${ODD_METADATA},"policies":[{"id":"pol_00000000","minimum_earned":0.25}]`,
  priced:
    '"totals":{"total":"1.00"},"assumptions":[{"code":"EARNED_ASSUMED","param":"policies[0].taxes_and_fees[0].kept_on_cancellation","message":"M"}],"options":[]',
};

const policyOf = ({ body }: Answered) => JSON.parse(body).policies[0];
const assumedIn = ({ body }: Answered) => JSON.parse(body).assumptions[0].param;

describe('a request pinned to the version before a change', () => {
  test('is written and answered in its own words, while the store keeps the current shape', async (t) => {
    const gateway = await startGateway(t, VERSIONS);
    const answer = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, headers: PINNED, body: OLDER_BODY });
    assert.deepEqual([answer.status, answer.headers['service-version']], [201, OLDER]);
    assert.equal(policyOf(answer).minimum_earned, 0.25);
    assert.equal(assumedIn(answer), 'policies[0].taxes_and_fees[0].kept_on_cancellation');
    assert.ok(answer.body.includes(`"metadata":${ODD_METADATA}`), 'what the caller sent comes back byte for byte');

    const [stored] = gateway.stored;
    assert.equal(stored?.snapshot?.apiVersion, NEWER);
    assert.match(Buffer.from(stored?.snapshot?.requestMembers ?? []).toString(), /"minimum_earned":\{"rate":0.25\}/);
  });

  test('reads what was stored by newer callers in its own words too', async (t) => {
    const gateway = await startGateway(t, VERSIONS);
    const created = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: NEWER_BODY });
    assert.deepEqual([created.status, created.headers['service-version']], [201, NEWER]);
    assert.deepEqual(policyOf(created).minimum_earned, { rate: 0.25 });
    const read = await gateway.ask('GET', `/v1/quotes/${JSON.parse(created.body).id}`, {
      key: TEST_KEY,
      headers: PINNED,
    });
    assert.equal(policyOf(read).minimum_earned, 0.25);
  });

  test('is replayed byte for byte, whatever version the retry asks for', async (t) => {
    const { gateway } = await startKeyedGateway(t, VERSIONS);
    const post = (headers: Record<string, string>) =>
      gateway.ask('POST', '/v1/quotes', {
        key: TEST_KEY,
        headers: { ...headers, 'Idempotency-Key': 'k' },
        body: OLDER_BODY,
      });
    const first = await post(PINNED);
    const replayed = await post(PINNED);
    assert.equal(first.status, 201);
    assert.equal(replayed.headers['idempotent-replayed'], 'true');
    assert.equal(replayed.body, first.body);
    assert.equal(replayed.headers['service-version'], OLDER);
  });
});

describe('a refusal of a request pinned to the version before a change', () => {
  const fee = (member: string) => OLDER_BODY.replace('"kept_on_cancellation":false', member);
  const cases = [
    [
      'names a renamed field as it was sent',
      fee('"kept_on_cancellation":1'),
      'INVALID_TYPE',
      'policies[0].taxes_and_fees[0].kept_on_cancellation',
      'policies[0].taxes_and_fees[0].kept_on_cancellation must be true or false, without quotes; a number was sent.',
    ],
    [
      'does not know the newer name',
      fee('"earned":false'),
      'UNKNOWN_FIELD',
      'policies[0].taxes_and_fees[0].earned',
      'policies[0].taxes_and_fees[0].earned is not a known field.',
    ],
    [
      'keeps a hint at a field that has its name still',
      OLDER_BODY.replace('"fein"', '"feim"'),
      'UNKNOWN_FIELD',
      'insured.feim',
      'insured.feim is not a known field. Did you mean "fein"?',
    ],
    [
      'names a field that has another place now',
      OLDER_BODY.replace('0.250', '25'),
      'OUT_OF_RANGE',
      'policies[0].minimum_earned',
      'policies[0].minimum_earned must be a fraction from 0 to 1; 25 was sent. For 25 % send 0.25.',
    ],
  ] as const;
  for (const [promise, body, code, param, message] of cases) {
    test(promise, async (t) => {
      const gateway = await startGateway(t, VERSIONS);
      const answer = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, headers: PINNED, body });
      assert.equal(answer.status, 422, answer.body);
      const error = errorOf(answer);
      assert.deepEqual(error['details'], [{ code, param, message }]);
      assert.deepEqual([error['param'], error['message']], [param, message]);
    });
  }

  test('of no object, or of no JSON at all, is the usual one', async (t) => {
    const gateway = await startGateway(t, VERSIONS);
    const post = async (body: string) =>
      errorOf(await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, headers: PINNED, body }));
    assert.equal((await post('[1]'))['message'], 'The body must be an object; an array was sent.');
    assert.match(String((await post('{"a":1,"a":2}'))['message']), /line 1, column 8/);
  });
});

describe('a quote that was stored before a change', () => {
  for (const apiVersion of ['', OLDER]) {
    test(`is read in the words of today, and in its own where that is pinned (stored as "${apiVersion}")`, async (t) => {
      const snapshot = {
        requestMembers: Buffer.from(STORED.request),
        pricedMembers: Buffer.from(STORED.priced),
        apiVersion,
      };
      const gateway = await startGateway(t, {
        ...VERSIONS,
        getQuote: ({ quoteId }) => ({ quote: { quoteId, snapshot, mode: Mode.TEST, status: QuoteStatus.ACTIVE } }),
      });
      const today = await gateway.ask('GET', '/v1/quotes/q', { key: TEST_KEY });
      assert.deepEqual(policyOf(today).minimum_earned, { rate: 0.25 });
      assert.equal(assumedIn(today), 'policies[0].taxes_and_fees[0].earned');
      const before = await gateway.ask('GET', '/v1/quotes/q', { key: TEST_KEY, headers: PINNED });
      assert.ok(before.body.endsWith(`,${STORED.request},${STORED.priced}}`), before.body);
    });
  }
});

describe('lists and small objects', () => {
  const scopes = ['applications:read'];
  const parts = {
    ...VERSIONS,
    access: accessStore({ [LIVE_KEY]: accessWith({ mode: 'live', scopes }) }).store,
    listApplications: () => ({ applications: [fullApplication()], hasMore: false }),
  };
  const cases = [
    ['/v1/whoami', '"agency":{"name":"Lone Star Insurance"}', '"brokerage":{"name":"Lone Star Insurance"}'],
    ['/v1/coverage-types', '"data":[{"code":"general_liability"', '"data":[{"type":"general_liability"'],
    ['/v1/applications', '"state":"pending_activation"', '"status":"pending_activation"'],
  ] as const;
  for (const [path, older, newer] of cases) {
    test(`${path} answers each version in its words`, async (t) => {
      const gateway = await startGateway(t, parts);
      const pinned = await gateway.ask('GET', path, { key: LIVE_KEY, headers: PINNED });
      const today = await gateway.ask('GET', path, { key: LIVE_KEY });
      assert.ok(pinned.body.includes(older) && !pinned.body.includes(newer), pinned.body);
      assert.equal(pinned.body.replace(older, newer).length, pinned.body.length + newer.length - older.length);
      assert.ok(today.body.includes(newer) && !today.body.includes(older), today.body);
    });
  }

  test('a query is read, and refused, by the names of its version', async (t) => {
    const gateway = await startGateway(t, parts);
    const list = async (query: string) =>
      gateway.ask('GET', `/v1/applications?${query}`, { key: LIVE_KEY, headers: PINNED });
    assert.equal((await list('page_size=5')).status, 200);
    assert.match(String(errorOf(await list('page_size=0'))['message']), /^page_size must be a whole number/);
    const { param, message } = errorOf(await list('limit=5'));
    assert.deepEqual({ param, message }, { param: 'limit', message: 'limit is not a known parameter.' });
  });
});

test('an answer without a version of its own, such as a 401, is of the newest', async (t) => {
  const gateway = await startGateway(t, VERSIONS);
  assert.equal((await gateway.ask('GET', '/v1/whoami', { headers: PINNED })).headers['service-version'], NEWER);
});

for (const [pinned, served] of [
  [undefined, NEWER],
  ['2027-05-31', OLDER],
  ['2027-06-01', NEWER],
  ['2030-01-01', NEWER],
] as const) {
  test(`a pin of ${pinned} is served by ${served}`, async (t) => {
    const gateway = await startGateway(t, VERSIONS);
    const headers: Record<string, string> = pinned === undefined ? {} : { 'Service-Version': pinned };
    const answer = await gateway.ask('GET', '/v1/whoami', { key: TEST_KEY, headers });
    assert.equal(answer.headers['service-version'], served);
    assert.equal(JSON.parse(answer.body).api_version, served);
  });
}
