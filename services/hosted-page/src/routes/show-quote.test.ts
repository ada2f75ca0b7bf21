import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { OutcomeUnknownError, unavailable } from '@pfq/kit/errors';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { formIn, startPages, storeOf } from '../running-hosted-page.test-support.ts';
import type { RunningPages } from '../running-hosted-page.test-support.ts';
import { hostedQuote, INELIGIBLE_MEMBERS, interestedIn, QUOTE_ID } from '../sample-quote.test-support.ts';

const UNKNOWN = `/q/${'x'.repeat(43)}`;

type Shown = { readonly status: number; readonly outcome: unknown };

/** The status, and what the log says was shown. */
async function shown(pages: RunningPages, path: string): Promise<Shown> {
  const { status } = await pages.get(path);
  return { status, outcome: pages.lines.at(-1)?.['outcome'] };
}

async function startWith(t: TestContext, quote: Parameters<typeof storeOf>[0]) {
  const store = storeOf(quote);
  return { store, pages: await startPages(t, { store: store.service }), path: `/q/${store.token}` };
}

const EXPIRED = { status: QuoteStatus.EXPIRED };
const STATES: readonly (readonly [
  what: string,
  quote: Parameters<typeof storeOf>[0],
  status: number,
  outcome: string,
])[] = [
  ['an active quote', hostedQuote(), 200, 'quote'],
  ['an interested quote', hostedQuote({ quote: interestedIn('opt_15_6') }), 200, 'interested'],
  ['an expired quote', hostedQuote({ quote: EXPIRED }), 200, 'expired'],
  ['an ineligible quote', hostedQuote({ pricedMembers: INELIGIBLE_MEMBERS }), 200, 'ineligible'],
  [
    'an ineligible quote that expired',
    hostedQuote({ pricedMembers: INELIGIBLE_MEMBERS, quote: EXPIRED }),
    200,
    'expired',
  ],
  ['a replaced link', 'replaced', 410, 'replaced'],
  ['a quote that cannot be read', hostedQuote({ apiVersion: '2999-01-01' }), 500, 'failed'],
];
for (const [what, quote, status, outcome] of STATES) {
  test(`${what} is shown with ${status} as ${outcome}`, async (t) => {
    const { pages, path } = await startWith(t, quote);
    assert.deepEqual(await shown(pages, path), { status, outcome });
  });
}

test('a link that never was is shown with 404', async (t) => {
  const pages = await startPages(t);
  assert.deepEqual(await shown(pages, UNKNOWN), { status: 404, outcome: 'unknown' });
});

test('a token that cannot be one is 404 without a look-up, and so is every other path', async (t) => {
  const { pages, store } = await startWith(t, hostedQuote());
  for (const path of [
    '/q/short',
    `/q/${store.token}x`,
    '/q/',
    '/',
    '/q',
    '/favicon.ico',
    `/q/${store.token}/x`,
    '/%',
  ]) {
    assert.deepEqual(await shown(pages, path), { status: 404, outcome: 'unknown' }, path);
  }
  assert.deepEqual(store.calls, []);
});

test('what was sent is told only of a quote that is interested, and truly', async (t) => {
  const { pages, store, path } = await startWith(t, hostedQuote());
  const told = async (sent: string) => (await shown(pages, `${path}?sent=${sent}`)).outcome;
  assert.equal(await told('opt_15_6'), 'quote');
  store.show(hostedQuote({ quote: EXPIRED }));
  assert.equal(await told('opt_15_6'), 'expired');
  store.show(hostedQuote({ quote: interestedIn('opt_15_6') }));
  assert.equal(await told('opt_15_6'), 'sent');
  assert.equal(await told('opt_15_7'), 'sent-another');
  assert.equal(await told('opt_15_6&sent=opt_15_6'), 'interested');
  assert.deepEqual((await shown(pages, `${path}?again=opt_15_6`)).outcome, 'sent-before');
  assert.deepEqual((await shown(pages, `${path}?again=opt_15_7`)).outcome, 'sent-another');
});

test('a review shows the chosen option; without one that exists the options are shown again with 422', async (t) => {
  const { pages, path } = await startWith(t, hostedQuote());
  assert.deepEqual(await shown(pages, `${path}/review?option=opt_20_9`), { status: 200, outcome: 'review' });
  for (const query of ['', '?option=', '?option=opt_1_1', '?option=opt_20_9&option=opt_20_9']) {
    assert.deepEqual(await shown(pages, `${path}/review${query}`), { status: 422, outcome: 'no-choice' }, query);
  }
});

test('a review of a quote that takes no response any more shows how the quote stands', async (t) => {
  const { pages, store, path } = await startWith(t, hostedQuote({ quote: EXPIRED }));
  const review = `${path}/review?option=opt_20_9`;
  assert.deepEqual(await shown(pages, review), { status: 200, outcome: 'expired' });
  store.show(hostedQuote({ quote: interestedIn('opt_20_9') }));
  assert.deepEqual(await shown(pages, review), { status: 200, outcome: 'interested' });
  store.show('replaced');
  assert.deepEqual(await shown(pages, review), { status: 410, outcome: 'replaced' });
});

test('with the quote store away, or without an answer from it, 503 says when to try the same address again', async (t) => {
  for (const failure of [unavailable('away'), new OutcomeUnknownError('silent')]) {
    const service = { ...storeOf().service, readHostedQuote: () => Promise.reject(failure) };
    const pages = await startPages(t, { store: service });
    const path = `${UNKNOWN}/review?option=opt_20_9&lang=es`;
    const answer = await pages.get(path);
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '30']);
    assert.ok(answer.body.includes(path.replaceAll('&', '&amp;')), 'the way to try again');
    assert.deepEqual(pages.lines.filter(({ level }) => level === 'error').length, 1);
  }
});

test('a quote store that nobody reaches is away: 503, and its address stays in the log', async (t) => {
  const nobody = createRpcTransport('grpc://127.0.0.1:1', null);
  t.after(() => nobody.close());
  const pages = await startPages(t, { transport: nobody });
  for (const answer of [await pages.get(UNKNOWN), await pages.post(`${UNKNOWN}/interest`, {})]) {
    assert.equal(answer.status, 503);
    assert.doesNotMatch(answer.body, /127\.0\.0\.1/);
  }
  assert.match(pages.log.join('\n'), /127\.0\.0\.1/);
});

test('a page that fails names the request for support, and its log line has the cause', async (t) => {
  const { pages, path } = await startWith(t, hostedQuote({ apiVersion: '2999-01-01' }));
  const { body, headers } = await pages.get(path);
  const id = String(headers['request-id']);
  assert.match(id, /^req_\w{22}$/);
  assert.ok(body.includes(id));
  const error = pages.lines.find(({ level }) => level === 'error');
  assert.equal(error?.['request_id'], id);
  assert.match(String(error?.['err']), /2999-01-01/);
});

test('the page of a replaced link of a test quote says that it is one', async (t) => {
  const { pages, path } = await startWith(t, 'replaced');
  assert.match((await pages.get(path)).body, /Test quote\./);
});

const LANGUAGES: readonly (readonly [accepted: string | null, query: string, language: string])[] = [
  [null, '', 'en'],
  ['', '', 'en'],
  ['es', '', 'es'],
  ['es-MX,es;q=0.9,en;q=0.8', '', 'es'],
  ['en-US,en;q=0.9,es;q=0.8', '', 'en'],
  ['en;q=0.4, es-419;q=0.5', '', 'es'],
  ['fr, de', '', 'en'],
  ['fr, es;q=0.1', '', 'es'],
  ['en;q=0, *', '', 'es'],
  ['*', '', 'en'],
  ['ES', '', 'es'],
  ['es;q=high', '', 'en'],
  ['es', '?lang=en', 'en'],
  [null, '?lang=es', 'es'],
  ['es', '?lang=fr', 'es'],
  ['en', '?lang=es&lang=es', 'en'],
];
for (const [accepted, query, language] of LANGUAGES) {
  test(`Accept-Language ${accepted} with "${query}" gives ${language}, and a switch to the other`, async (t) => {
    const { pages, path } = await startWith(t, hostedQuote());
    const { headers, body } = await pages.get(path + query, accepted === null ? {} : { 'accept-language': accepted });
    assert.equal(headers['content-language'], language);
    assert.match(body, new RegExp(`<html lang="${language}"`));
    assert.ok(body.includes(`${path}?lang=${language === 'en' ? 'es' : 'en'}"`), 'the switch');
  });
}

test('the switch of language keeps what was chosen and what was sent', async (t) => {
  const { pages, store, path } = await startWith(t, hostedQuote());
  const review = await pages.get(`${path}/review?option=opt_20_9`);
  assert.ok(review.body.includes(`${path}/review?option=opt_20_9&amp;lang=es`));
  store.show(hostedQuote({ quote: interestedIn('opt_20_9') }));
  const sent = await pages.get(`${path}?sent=opt_20_9&lang=es`);
  assert.ok(sent.body.includes(`${path}?sent=opt_20_9&amp;lang=en`));
});

test('pages are served below the path of the base address, and their links stay below it', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service, hostedBaseUrl: 'https://pay.example/finance' });
  assert.equal((await pages.get(`/q/${store.token}`)).status, 404);
  const answer = await pages.get(`/finance/q/${store.token}`);
  assert.equal(answer.status, 200);
  assert.ok(answer.body.includes(`action="/finance/q/${store.token}/review"`));
});

test('each showing of a review has a nonce of its own', async (t) => {
  const { pages, path } = await startWith(t, hostedQuote());
  const nonces = await Promise.all(
    [1, 2, 3].map(async () => formIn(await pages.get(`${path}/review?option=opt_20_9`))['nonce']),
  );
  assert.equal(new Set(nonces).size, 3);
});

test('one line tells of each request: its id, route, language, quote and what was shown', async (t) => {
  const { pages, path } = await startWith(t, hostedQuote());
  const { headers } = await pages.get(`${path}/review?option=opt_20_9`);
  const { duration_ms: duration, ...line } = pages.lines[0] ?? {};
  assert.deepEqual(line, {
    level: 'info',
    message: 'request',
    request_id: headers['request-id'],
    method: 'GET',
    route: '/q/{token}/review',
    language: 'en',
    quote_id: QUOTE_ID,
    status: 200,
    outcome: 'review',
  });
  assert.equal(typeof duration, 'number');
});
