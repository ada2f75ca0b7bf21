import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { formIn, ORIGIN, sendRaw, startPages, storeOf } from '../running-hosted-page.test-support.ts';
import type { Answered, RunningPages } from '../running-hosted-page.test-support.ts';
import { hostedQuote, interestedIn } from '../sample-quote.test-support.ts';

const UNKNOWN = `/q/${'x'.repeat(43)}`;

/** Every address that a link has, and some that nobody has. */
function addressesOf(token: string): readonly string[] {
  const path = `/q/${token}`;
  const ofLink = [
    '',
    '?lang=es',
    '?sent=opt_20_9',
    '?again=opt_20_9',
    '/review',
    '/review?option=opt_20_9',
    '/interest',
    '/interest?confirmed=yes',
  ];
  return [...ofLink.map((rest) => path + rest), UNKNOWN, '/q/x', '/', '/robots.txt'];
}

test('a hundred GETs and HEADs of every address change nothing', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service });
  for (let round = 0; round < 50; round += 1) {
    for (const method of ['GET', 'HEAD']) {
      await Promise.all(addressesOf(store.token).map((path) => pages.ask(method, path)));
    }
  }
  assert.ok(store.calls.length > 0);
  assert.deepEqual([...new Set(store.calls)], ['read']);
});

test('HEAD is answered as GET is, without the body', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service });
  for (const path of addressesOf(store.token)) {
    const [got, head] = [await pages.get(path), await pages.ask('HEAD', path)];
    assert.deepEqual([head.status, head.body], [got.status, ''], path);
    assert.deepEqual(Object.keys(head.headers), Object.keys(got.headers), path);
    assert.equal(head.headers['content-length'], got.headers['content-length'], path);
  }
});

for (const language of ['en', 'es']) {
  test(`whoever comes to the address of the form without it is led to the quote in the form's language: ${language}`, async (t) => {
    const store = storeOf();
    const pages = await startPages(t, { store: store.service });
    const { status, headers } = await pages.get(`/q/${store.token}/interest?lang=${language}`);
    assert.deepEqual([status, headers.location], [303, `/q/${store.token}?lang=${language}`]);
  });
}

const METHODS: readonly (readonly [path: string, method: string, allow: string])[] = [
  ['', 'POST', 'GET, HEAD'],
  ['', 'DELETE', 'GET, HEAD'],
  ['', 'OPTIONS', 'GET, HEAD'],
  ['/review', 'POST', 'GET, HEAD'],
  ['/interest', 'PUT', 'GET, HEAD, POST'],
  ['/interest', 'OPTIONS', 'GET, HEAD, POST'],
];
for (const [rest, method, allow] of METHODS) {
  test(`${method} of /q/{token}${rest} is 405 with an empty body and what is allowed`, async (t) => {
    const store = storeOf();
    const pages = await startPages(t, { store: store.service });
    const answer = await pages.ask(method, `/q/${store.token}${rest}`, { headers: { origin: ORIGIN } });
    assert.deepEqual([answer.status, answer.headers['allow'], answer.body], [405, allow, '']);
    assert.deepEqual(store.calls, []);
  });
}

test('robots are asked to leave everything alone', async (t) => {
  const pages = await startPages(t);
  assert.equal((await pages.get('/robots.txt')).body, 'User-agent: *\nDisallow: /\n');
  assert.equal((await pages.ask('POST', '/robots.txt')).status, 405);
});

const HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  [
    'content-security-policy',
    /^default-src 'none'; style-src 'sha256-[\w+/]+='; script-src 'sha256-[\w+/]+='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  ],
  ['referrer-policy', /^strict-origin$/],
  ['cache-control', /^no-store$/],
  ['x-robots-tag', /^noindex, nofollow$/],
  ['x-content-type-options', /^nosniff$/],
  ['x-frame-options', /^DENY$/],
  ['cross-origin-opener-policy', /^same-origin$/],
  ['cross-origin-resource-policy', /^same-origin$/],
  ['permissions-policy', /^camera=\(\), geolocation=\(\)/],
  ['vary', /^Accept-Encoding, Accept-Language$/],
  ['request-id', /^req_\w{22}$/],
  ['content-length', /^\d+$/],
];
const NEVER = ['set-cookie', 'x-powered-by', 'server', 'etag', 'last-modified', 'access-control-allow-origin'];

test('every answer carries the headers that keep a link safe, and none that would give it away', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service });
  const form = { ...formIn(await pages.get(`/q/${store.token}/review?option=opt_20_9`)), confirmed: 'yes' };
  const answers = [
    ...(await Promise.all(addressesOf(store.token).map((path) => pages.get(path)))),
    await pages.ask('DELETE', `/q/${store.token}`),
    await pages.post(`/q/${store.token}/interest`, form, { origin: 'https://evil.example' }),
    await pages.post(`/q/${store.token}/interest`, { ...form, pad: 'x'.repeat(300_000) }),
    await pages.post(`/q/${store.token}/interest`, { ...form, confirmed: '' }),
    await pages.post(`/q/${store.token}/interest`, form),
  ];
  assert.equal(new Set(answers.map(({ status }) => status)).size, 7, 'answers of many kinds');
  for (const { status, headers } of answers) {
    for (const [name, value] of HEADERS) assert.match(String(headers[name]), value, `${name} of ${status}`);
    for (const name of NEVER) assert.equal(headers[name], undefined, `${name} of ${status}`);
  }
});

test('the policy allows the very style and script of the page', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service });
  const { headers, body } = await pages.get(`/q/${store.token}/review?option=opt_20_9`);
  const allowed = String(headers['content-security-policy']);
  for (const tag of ['style', 'script']) {
    const texts = [...body.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text = '']) => text);
    assert.equal(texts.length, 1, tag);
    const hash = await crypto.subtle.digest('SHA-256', Buffer.from(texts[0] ?? ''));
    assert.ok(allowed.includes(`${tag}-src 'sha256-${Buffer.from(hash).toString('base64')}'`), tag);
  }
});

test('pages are compressed for those who take it, and thirty options stay below 10 KB', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service });
  const plain = await pages.get(`/q/${store.token}`);
  assert.equal(plain.headers['content-encoding'], undefined);
  for (const [encoding, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const headers = { 'accept-encoding': encoding };
    const asked = request({ port: pages.port, path: `/q/${store.token}`, headers, agent: false }).end();
    const [answer] = await once(asked, 'response');
    const sent = await buffer(answer);
    assert.equal(answer.headers['content-encoding'], encoding);
    assert.equal(Number(answer.headers['content-length']), sent.length);
    assert.equal(unpack(sent).toString(), plain.body);
    assert.ok(sent.length < 10_240, `${sent.length} bytes`);
  }
});

/** What a scanner of mails does: it opens the link, and then whatever is linked, and sends every form as it stands. */
async function crawl(pages: RunningPages, start: string, { submits }: { readonly submits: boolean }): Promise<number> {
  const seen = new Set<string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { body, headers } = await pages.get(path);
    waiting.push(...pathsIn(body), ...pathsIn(`href="${headers.location ?? ''}"`));
    if (submits) waiting.push(...(await submitForms(pages, body)));
  }
  return seen.size;
}

function pathsIn(body: string): readonly string[] {
  const links = [...body.matchAll(/(?:href|action)="(\/[^"#]*)/g)];
  return links.map(([, path = '']) => path.replaceAll('&amp;', '&'));
}

/** Every form as it stands: hidden fields, nothing chosen, nothing checked. Gives where the answers lead to. */
async function submitForms(pages: RunningPages, body: string): Promise<readonly string[]> {
  const led: string[] = [];
  for (const [form] of body.matchAll(/<form[\s\S]*?<\/form>/g)) {
    const [path = ''] = pathsIn(form);
    const inputs = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      /name="([^"]*)"/.exec(input)?.[1] ?? '',
      /value="([^"]*)"/.exec(input)?.[1] ?? '',
    ]);
    const fields = Object.fromEntries(inputs);
    const isGet = /method="get"/i.test(form);
    const answer: Answered = isGet
      ? await pages.get(`${path}?${new URLSearchParams(fields)}`)
      : await pages.post(path, { ...fields, note: '' });
    assert.notEqual(answer.status, 303, 'no form is accepted as it stands');
    led.push(...pathsIn(answer.body));
  }
  return led;
}

for (const submits of [false, true]) {
  test(`a crawler that follows every link${submits ? ' and submits every form as it stands' : ''} stores nothing`, async (t) => {
    const store = storeOf();
    const pages = await startPages(t, { store: store.service });
    const visited = await crawl(pages, `/q/${store.token}`, { submits });
    assert.ok(visited >= 4, 'quote and review, in both languages');
    assert.deepEqual(store.asked, []);
  });
}

test('the token is in nothing but the links of its own pages: in no log line, and in no header but where they lead', async (t) => {
  const failing = storeOf(hostedQuote({ apiVersion: '2999-01-01' }));
  const away = { ...storeOf().service, readHostedQuote: () => Promise.reject(new Error('a bug')) };
  const store = storeOf();
  const note = 'a note that nobody else may read';
  for (const [token, service] of [
    [store.token, store.service],
    [failing.token, failing.service],
    [failing.token, away],
  ] as const) {
    const pages = await startPages(t, { store: service });
    const path = `/q/${token}`;
    const answers = await Promise.all(addressesOf(token).map((one) => pages.get(one)));
    const review = await pages.get(`${path}/review?option=opt_20_9`);
    const form = review.status === 200 ? formIn(review) : {};
    for (const changes of [{ nonce: 'x' }, { confirmed: '' }, { note: note.repeat(50) }, {}]) {
      answers.push(await pages.post(`${path}/interest`, { ...form, confirmed: 'yes', note, ...changes }));
    }
    answers.push(await pages.post(`${path}/interest`, form, { origin: 'https://evil.example' }));
    answers.push(
      await pages.ask('DELETE', path),
      await pages.get(`http://x${path}/%zz?a=%zz`),
      await pages.get(`${path}%`),
    );
    await sendRaw(pages.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n`);
    assert.doesNotMatch(pages.log.join('\n'), new RegExp(`${token}|${note}|opt_20_9`));
    for (const { headers } of answers) {
      const { location: _, ...others } = headers;
      assert.ok(!JSON.stringify(others).includes(token));
    }
  }
});

test('once twenty unknown links were tried, an address waits; even a link that it has is not shown', async (t) => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const store = storeOf();
  const pages = await startPages(t, { store: store.service, clock: () => now, trustedProxies: 1 });
  const from = (address: string, path: string) => pages.get(path, { 'x-forwarded-for': address });
  for (let miss = 0; miss < 20; miss += 1) {
    assert.equal((await from('192.0.2.7', `/q/${store.token}`)).status, 200);
    assert.equal((await from('192.0.2.7', UNKNOWN)).status, 404);
    assert.equal((await from('192.0.2.7', '/q/malformed')).status, 404, 'what cannot be a link is no guess');
    assert.equal((await from('192.0.2.7', '/favicon.ico')).status, 404);
  }
  store.calls.length = 0;
  const refused = await from('192.0.2.7', `/q/${store.token}`);
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '600']);
  const post = await pages.post(`/q/${store.token}/interest`, {}, { 'x-forwarded-for': '192.0.2.7' });
  assert.equal(post.status, 429);
  assert.deepEqual(store.calls, [], 'nothing is looked up');
  assert.equal((await from('198.51.100.1, 192.0.2.8', `/q/${store.token}`)).status, 200, 'another address');
  now += 600_000;
  assert.equal((await from('192.0.2.7', `/q/${store.token}`)).status, 200, 'ten minutes later');
});

for (const [trustedProxies, forwarded, status] of [
  [0, '192.0.2.9', 429],
  [1, '192.0.2.9', 200],
  [1, '192.0.2.9, 192.0.2.7', 429],
  [2, '192.0.2.9, 192.0.2.7', 200],
] as const) {
  test(`behind ${trustedProxies} trusted proxies "${forwarded}" after guesses by "192.0.2.7" is answered with ${status}`, async (t) => {
    const store = storeOf();
    const pages = await startPages(t, { store: store.service, trustedProxies });
    for (let miss = 0; miss < 20; miss += 1) await pages.get(UNKNOWN, { 'x-forwarded-for': '192.0.2.7' });
    assert.equal((await pages.get(`/q/${store.token}`, { 'x-forwarded-for': forwarded })).status, status);
  });
}

test('two hundred guesses at once are let through no more often than one after the other, and links that exist are all shown', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service });
  const statusesOf = async (path: string, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => pages.get(path)));
    return Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([key, all]) => [key, all.length]));
  };
  assert.deepEqual(await statusesOf(`/q/${store.token}`, 200), { 200: 200 });
  store.calls.length = 0;
  assert.deepEqual(await statusesOf(UNKNOWN, 200), { 404: 20, 429: 180 });
  assert.equal(store.calls.length, 20, 'the others are not looked up');
});

test('guesses by POST count as those by GET', async (t) => {
  const pages = await startPages(t);
  for (let miss = 0; miss < 20; miss += 1) assert.equal((await pages.post(`${UNKNOWN}/interest`, {})).status, 404);
  assert.equal((await pages.get(UNKNOWN)).status, 429);
});

test('an interest that is shown to the one who has the link tells nothing of who asked', async (t) => {
  const store = storeOf(hostedQuote({ quote: interestedIn('opt_20_9', 'Call me.') }));
  const pages = await startPages(t, { store: store.service });
  assert.doesNotMatch((await pages.get(`/q/${store.token}`)).body, /req_|chg_|qte_/);
});
