import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { until } from '../../../../tests/support/until.ts';
import { FORM, formIn, ORIGIN, sendRaw, startPages, storeOf } from '../running-hosted-page.test-support.ts';
import { MAX_FORM_BYTES } from '../requests/read-form.ts';

const SECONDS = 5_000;

/** A form that is confirmed and would be stored, had it come in the right way. */
async function openForm(t: TestContext, parts: Parameters<typeof startPages>[1] = {}) {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service, ...parts });
  const path = `/q/${store.token}`;
  const form = formIn(await pages.get(`${path}/review?option=opt_20_9`));
  const body = new URLSearchParams({ ...form, confirmed: 'yes' }).toString();
  const send = (headers: Readonly<Record<string, string>>, sent = body) =>
    pages.ask('POST', `${path}/interest`, { headers: { 'content-type': FORM, ...headers }, body: sent });
  store.calls.length = 0;
  return { store, pages, path: `${path}/interest`, body, send };
}

const SENDERS: readonly (readonly [headers: Readonly<Record<string, string>>, status: number])[] = [
  [{ origin: ORIGIN, 'sec-fetch-site': 'same-origin' }, 303],
  [{ origin: ORIGIN }, 303],
  [{ 'sec-fetch-site': 'same-origin' }, 303],
  [{}, 403],
  [{ origin: 'null' }, 403],
  [{ origin: '' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'http://pay.example' }, 403],
  [{ origin: 'https://pay.example:8443' }, 403],
  [{ origin: 'https://pay.example/' }, 403],
  [{ origin: 'https://PAY.example' }, 403],
  [{ origin: 'https://pay.example.evil.example' }, 403],
  [{ origin: `${ORIGIN}, ${ORIGIN}` }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'none' }, 403],
  [{ origin: ORIGIN, 'sec-fetch-site': 'cross-site' }, 403],
  [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, 403],
];
for (const [headers, status] of SENDERS) {
  test(`a form with ${JSON.stringify(headers)} is answered with ${status}; where refused, nothing is looked up or stored`, async (t) => {
    const { store, send } = await openForm(t);
    assert.equal((await send(headers)).status, status);
    assert.deepEqual(store.calls, status === 303 ? ['read', 'express'] : []);
  });
}

test('the origin is that of the base address, whatever its path', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service, hostedBaseUrl: 'https://www.lender.example:8443/pay/' });
  const path = `/pay/q/${store.token}`;
  const form = { ...formIn(await pages.get(`${path}/review?option=opt_20_9`)), confirmed: 'yes' };
  const statusFrom = async (origin: string) => (await pages.post(`${path}/interest`, form, { origin })).status;
  assert.equal(await statusFrom('https://www.lender.example'), 403);
  assert.equal(await statusFrom('https://www.lender.example:8443'), 303);
});

const OWN = { origin: ORIGIN };
const BODIES: readonly (readonly [
  what: string,
  headers: Record<string, string>,
  body: (form: string) => string,
  status: number,
])[] = [
  [
    'with a character set named',
    { 'content-type': 'Application/X-WWW-Form-URLencoded; charset=UTF-8' },
    (form) => form,
    303,
  ],
  ['sent as JSON', { 'content-type': 'application/json' }, (form) => form, 403],
  ['sent as plain text', { 'content-type': 'text/plain' }, (form) => form, 403],
  ['sent in parts', { 'content-type': 'multipart/form-data; boundary=x' }, (form) => form, 403],
  ['without a type', { 'content-type': '' }, (form) => form, 403],
  ['compressed', { 'content-encoding': 'gzip' }, (form) => gzipSync(form).toString('latin1'), 403],
  ['with a field repeated', {}, (form) => `${form}&confirmed=yes`, 403],
  ['with a field repeated in other spelling', {}, (form) => `${form}&%63onfirmed=yes`, 403],
  ['with fields that are none of ours', {}, (form) => `${form}&utm=1`, 303],
  ['that is empty', {}, () => '', 422],
  ['that is no form at all', {}, () => '{"option":"opt_20_9"}', 422],
  ['of exactly 256 KB', {}, (form) => `${form}&pad=`.padEnd(MAX_FORM_BYTES, 'x'), 303],
  ['of one byte more', {}, (form) => `${form}&pad=`.padEnd(MAX_FORM_BYTES + 1, 'x'), 413],
  ['of megabytes', {}, (form) => `${form}&pad=`.padEnd(20 * MAX_FORM_BYTES, 'x'), 413],
];
for (const [what, headers, body, status] of BODIES) {
  test(`a form ${what} is answered with ${status}`, async (t) => {
    const { store, send, body: form } = await openForm(t);
    assert.equal((await send({ ...OWN, ...headers }, body(form))).status, status);
    assert.equal(store.asked.length, status === 303 ? 1 : 0);
  });
}

function head(path: string, ...headers: readonly string[]): string {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Origin: ${ORIGIN}`, `Content-Type: ${FORM}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

test('a longer declared form is refused before it is sent, and its connection closed', async (t) => {
  const { pages, path } = await openForm(t);
  const answer = await sendRaw(pages.port, head(path, `Content-Length: ${MAX_FORM_BYTES + 1}`, 'Expect: 100-continue'));
  assert.match(answer, /^HTTP\/1\.1 413 .*Connection: close/s);
});

test('an endless form is refused promptly, and its connection closed', async (t) => {
  const { pages, path } = await openForm(t);
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const chunks = Array.from({ length: MAX_FORM_BYTES / 65_536 + 1 }, () => chunk);
  const answer = await sendRaw(pages.port, head(path, 'Transfer-Encoding: chunked'), ...chunks);
  assert.match(answer, /^HTTP\/1\.1 413 .*Connection: close/s);
});

test('a browser that asks before it sends its form is told to go on', async (t) => {
  const { store, pages, path, body } = await openForm(t);
  const headers = [`Content-Length: ${Buffer.byteLength(body)}`, 'Expect: 100-continue', 'Connection: close'];
  const answer = await sendRaw(pages.port, head(path, ...headers), body);
  assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 303 /);
  assert.equal(store.asked.length, 1);
});

test('a browser that goes away in the middle of its form is no error, and stores nothing', async (t) => {
  const { store, pages, path, body } = await openForm(t);
  const socket = connect(pages.port, '127.0.0.1');
  socket.write(head(path, `Content-Length: ${body.length}`) + body.slice(0, 10));
  await once(socket, 'connect');
  await pages.get('/robots.txt');
  socket.resetAndDestroy();
  await until(() => pages.log.some((line) => line.includes('broken off')), SECONDS);
  assert.deepEqual(store.calls, []);
  assert.deepEqual(
    pages.lines.filter(({ level }) => level === 'error'),
    [],
  );
});
