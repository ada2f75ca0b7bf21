import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { changed, fullRequest } from '@pfq/gateway/requests/sample-request.test-support';
import { errorOf, outcomeOf } from '@pfq/gateway/running-gateway.test-support';
import type { Answered } from '@pfq/gateway/running-gateway.test-support';
import { makeAgency, makeKey, startWholeGateway } from '@pfq/gateway/whole-gateway.test-support';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { KeyType } from '@pfq/proto/gateway/v1/admin_pb';
import { setTime } from '../support/database.ts';
import { makeDatabases, startPricing, startStore } from './services-of-gateway.ts';

const BODY = JSON.stringify(changed(fullRequest(), 'broker_email'));
const UNKNOWN_ID = `qte_${'0'.repeat(22)}`;
const CREATED = '2026-11-20 12:00:00Z';
const LAST_MOMENT = '2026-12-20 11:59:59.999Z';
const EXPIRED = '2026-12-20 12:00:00Z';

type Quote = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly hosted_url: string | null;
  readonly interest: unknown;
  readonly options: readonly { readonly id: string }[];
};

/** The gateway over the real quote store, whose clocks stand still, with one test quote of ana@a.example. */
async function startAll(t: TestContext) {
  const [gatewayDatabase, storeDatabase] = await makeDatabases(t);
  const [quoteStore, pricing] = await Promise.all([startStore(t, storeDatabase.url), startPricing(t)]);
  const gateway = await startWholeGateway(t, { databaseUrl: gatewayDatabase.url, pricing, quoteStore });
  const quotes = storeDatabase.open();
  const clocks = [gatewayDatabase.open(), quotes];
  const moveTo = (now: string) => Promise.all(clocks.map((database) => setTime(database, now)));
  await moveTo(CREATED);
  const agencyId = await makeAgency(gateway, 'ana@a.example', 'ben@a.example');
  const ana = { agencyId, brokerEmail: 'ana@a.example' };
  const { secret: key } = await makeKey(gateway, ana);
  const post = (path: string, body: object, as = key) =>
    gateway.ask('POST', path, { key: as, body: JSON.stringify(body) });
  const read = async (id: string) => quoteOf(await gateway.ask('GET', `/v1/quotes/${id}`, { key }));
  const created = await gateway.ask('POST', '/v1/quotes', { key, body: BODY });
  assert.equal(created.status, 201, created.body);
  const strangers = async () => {
    const other = await makeAgency(gateway, 'ana@a.example');
    return [
      await makeKey(gateway, { agencyId: other, brokerEmail: 'ana@a.example' }),
      await makeKey(gateway, { agencyId, brokerEmail: 'ben@a.example', type: KeyType.BROKER }),
    ].map(({ secret }) => secret);
  };
  const live = async () => (await makeKey(gateway, { ...ana, mode: Mode.LIVE })).secret;
  return { post, read, moveTo, strangers, live, quotes, quote: quoteOf(created) };
}

function quoteOf({ body }: Answered): Quote {
  return JSON.parse(body);
}

/** The whole refusal but for its request id. */
function toldBy(answer: Answered): string {
  return `${answer.status} ${JSON.stringify({ ...errorOf(answer), request_id: '' })}`;
}

/** One row for each link of the quote, oldest first: the hash of its token, and whether it is current. */
async function linksOf({ quotes, quote }: Pick<Awaited<ReturnType<typeof startAll>>, 'quotes' | 'quote'>) {
  const rows = await quotes.read<{ token_hash: Buffer; current: boolean }>(
    'SELECT token_hash, replaced_at IS NULL AS current FROM hosted_links WHERE quote_id = $1 ORDER BY issued_at, replaced_at NULLS LAST',
    [quote.id],
  );
  return rows.map(({ token_hash, current }) => ({ hash: token_hash.toString('hex'), current }));
}

function hashOfLink(url: string | null): string {
  return createHash('sha256')
    .update(url?.split('/q/')[1] ?? '')
    .digest('hex');
}

describe('POST /v1/quotes/{id}/hosted-link', () => {
  it('answers with the quote and a fresh link, and revokes the one before', async (t) => {
    const all = await startAll(t);
    await all.moveTo('2026-11-21 12:00:00Z');
    const answer = await all.post(`/v1/quotes/${all.quote.id}/hosted-link`, {});
    assert.equal(answer.status, 200);
    const renewed = quoteOf(answer);
    assert.match(renewed.hosted_url ?? '', /\/q\/[\w-]{43}$/);
    assert.deepEqual({ ...renewed, hosted_url: all.quote.hosted_url }, all.quote);
    assert.deepEqual(await linksOf(all), [
      { hash: hashOfLink(all.quote.hosted_url), current: false },
      { hash: hashOfLink(renewed.hosted_url), current: true },
    ]);
    assert.equal((await all.read(all.quote.id)).hosted_url, null);
  });

  it('takes no members in its body', async (t) => {
    const { post, quote } = await startAll(t);
    const answer = await post(`/v1/quotes/${quote.id}/hosted-link`, { expires: true });
    assert.equal(outcomeOf(answer), '422 VALIDATION_FAILED');
    assert.partialDeepStrictEqual(errorOf(answer)['details'], [{ code: 'UNKNOWN_FIELD', param: 'expires' }]);
  });

  it('refuses an expired quote, at the moment it expires and not before, whether interested or not', async (t) => {
    const { post, moveTo, quote } = await startAll(t);
    const path = `/v1/quotes/${quote.id}/hosted-link`;
    await post(`/v1/test_helpers/quotes/${quote.id}/interest`, { option_id: quote.options[0]?.id });
    await moveTo(LAST_MOMENT);
    const last = await post(path, {});
    assert.equal(last.status, 200);
    assert.equal(quoteOf(last)['status'], 'interested');
    await moveTo(EXPIRED);
    assert.equal(outcomeOf(await post(path, {})), '409 QUOTE_EXPIRED');
  });

  it('is the same 404 for every quote that the key cannot see', async (t) => {
    const all = await startAll(t);
    const path = `/v1/quotes/${all.quote.id}/hosted-link`;
    const hidden = [...(await all.strangers()), await all.live()].map((key) => all.post(path, {}, key));
    const missing = [UNKNOWN_ID, 'nothing', '%00'].map((id) => all.post(`/v1/quotes/${id}/hosted-link`, {}));
    const told = (await Promise.all([...hidden, ...missing])).map(toldBy);
    assert.match(told[0] ?? '', /^404 .*"NOT_FOUND"/);
    assert.equal(new Set(told).size, 1);
    assert.equal((await linksOf(all)).length, 1);
  });

  it('leaves one current link however many are asked for at once', async (t) => {
    const all = await startAll(t);
    const asked = Array.from({ length: 12 }, () => all.post(`/v1/quotes/${all.quote.id}/hosted-link`, {}));
    const answers = await Promise.all(asked);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const links = await linksOf(all);
    assert.equal(links.length, 13);
    const current = links.filter((link) => link.current).map(({ hash }) => hash);
    assert.equal(current.length, 1);
    assert.ok(answers.some((answer) => hashOfLink(quoteOf(answer).hosted_url) === current[0]));
  });
});

describe('POST /v1/test_helpers/quotes/{id}/interest', () => {
  const interestPath = (id: string) => `/v1/test_helpers/quotes/${id}/interest`;

  it('answers with the interested quote, as reading it does from then on', async (t) => {
    const { post, read, quote } = await startAll(t);
    const optionId = quote.options[0]?.id;
    const answer = await post(interestPath(quote.id), { option_id: optionId, note: 'Llámame “mañana” 🤠' });
    assert.equal(answer.status, 200);
    const at = '2026-11-20T12:00:00.000Z';
    const expected = {
      ...quote,
      hosted_url: null,
      status: 'interested',
      selected_option_id: optionId,
      interest: {
        option_id: optionId,
        note: 'Llámame “mañana” 🤠',
        submitted_at: at,
        broker_notification: { status: 'skipped', reason: 'test_mode', recipient: null, recipients: [], at },
      },
    };
    assert.deepEqual(quoteOf(answer), expected);
    assert.deepEqual(await read(quote.id), expected);
  });

  for (const [name, note] of [
    ['absent', undefined],
    ['null', null],
    ['empty', ''],
  ] as const) {
    it(`a note that is ${name} reads as null`, async (t) => {
      const { post, quote } = await startAll(t);
      const answer = await post(interestPath(quote.id), { option_id: quote.options[0]?.id, note });
      assert.partialDeepStrictEqual(quoteOf(answer), { interest: { note: null } });
    });
  }

  it('checks in the order of the contract: live key, shape, visibility, earlier interest, expiry, option', async (t) => {
    const { post, live, moveTo, strangers, quote } = await startAll(t);
    const [stranger = ''] = await strangers();
    const path = interestPath(quote.id);
    assert.equal(outcomeOf(await post(path, {}, await live())), '403 TEST_MODE_ONLY');
    assert.equal(outcomeOf(await post(path, { note: 1 }, stranger)), '422 VALIDATION_FAILED');
    assert.equal(outcomeOf(await post(path, { option_id: 'opt_none' }, stranger)), '404 NOT_FOUND');
    assert.equal(outcomeOf(await post(path, { option_id: 'opt_none' })), '422 VALIDATION_FAILED');
    await moveTo(EXPIRED);
    assert.equal(outcomeOf(await post(path, { option_id: 'opt_none' })), '409 QUOTE_EXPIRED');
    await moveTo(LAST_MOMENT);
    assert.equal((await post(path, { option_id: quote.options[0]?.id })).status, 200);
    await moveTo(EXPIRED);
    assert.equal(outcomeOf(await post(path, { option_id: 'opt_none' })), '409 QUOTE_ALREADY_INTERESTED');
  });

  it('answers every quote that the key cannot see with the same 404', async (t) => {
    const { post, strangers, quote } = await startAll(t);
    const body = { option_id: quote.options[0]?.id };
    const hidden = (await strangers()).map((key) => post(interestPath(quote.id), body, key));
    const missing = [UNKNOWN_ID, 'nothing', '%00'].map((id) => post(interestPath(id), body));
    const told = (await Promise.all([...hidden, ...missing])).map(toldBy);
    assert.match(told[0] ?? '', /^404 .*"NOT_FOUND"/);
    assert.equal(new Set(told).size, 1);
  });

  it('stays interested when its time is over', async (t) => {
    const { post, read, moveTo, quote } = await startAll(t);
    await post(interestPath(quote.id), { option_id: quote.options[0]?.id });
    await moveTo(EXPIRED);
    assert.equal((await read(quote.id))['status'], 'interested');
  });

  it('names the option and the note that it cannot take', async (t) => {
    const { post, quote } = await startAll(t);
    const wrong = await post(interestPath(quote.id), { option_id: 'opt_none', note: 'x'.repeat(501) });
    assert.partialDeepStrictEqual(errorOf(wrong)['details'], [{ code: 'TOO_LONG', param: 'note' }]);
    const unknown = await post(interestPath(quote.id), { option_id: 'opt_none', note: '🤠'.repeat(500) });
    assert.equal(outcomeOf(unknown), '422 VALIDATION_FAILED');
    assert.partialDeepStrictEqual(errorOf(unknown)['details'], [{ code: 'INVALID_VALUE', param: 'option_id' }]);
  });

  it('takes one of many responses that come at once', async (t) => {
    const { post, quote } = await startAll(t);
    const asked = Array.from({ length: 10 }, () => post(interestPath(quote.id), { option_id: quote.options[0]?.id }));
    const outcomes = (await Promise.all(asked)).map((answer) => (answer.status === 200 ? '200' : outcomeOf(answer)));
    assert.equal(outcomes.filter((outcome) => outcome === '200').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === '409 QUOTE_ALREADY_INTERESTED').length, 9);
  });
});
