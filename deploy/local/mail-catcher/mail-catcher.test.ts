import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { readConfig } from '@pfq/kit/config';
import { createLogger } from '@pfq/kit/log';
import { composeMail, MailFailure, openMailer } from '@pfq/kit/mail';
import type { Mailer } from '@pfq/kit/mail';
import { settings } from './config.ts';
import { openMailbox } from './mailbox.ts';
import type { Message } from './message.ts';
import { start } from './server.ts';

const FROM = { name: 'Quotes', address: 'quotes@agency.example' };
const TO = { name: 'Dana Reyes', address: 'dana@broker.example' };
const logger = createLogger({ service: 'test', level: 'fatal', format: 'json' });
const folder = mkdtempSync(path.join(tmpdir(), 'pfq-mail-'));
const config = readConfig(settings, { MAIL_DIR: folder, SMTP_PORT: '0', HTTP_PORT: '0', LOG_LEVEL: 'error' });

let catcher: Awaited<ReturnType<typeof start>>;
let mailer: Mailer;
before(async () => {
  catcher = await start(config);
  const smtpUrl = { host: '127.0.0.1', port: catcher.smtpPort, isTlsFromStart: false, credentials: null };
  mailer = openMailer({ smtpUrl, smtpTls: 'never', mailFrom: FROM }, logger);
});
after(async () => {
  await mailer.close();
  await catcher.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => call('DELETE', '/messages'));

test('a mail that was sent is listed, newest first, and shown with its parts and its source', async () => {
  await send({ subject: 'first', text: 'one', html: '<p>one</p>' });
  const raw = await send({ subject: 'second', text: 'two', html: '<p>two</p>' });
  const messages = await list();
  assert.deepEqual(
    messages.map(({ subject }) => subject),
    ['second', 'first'],
  );
  const [latest] = messages;
  assert.ok(latest !== undefined);
  const { id, received_at: receivedAt, ...rest } = latest;
  assert.deepEqual(rest, {
    from: 'Quotes <quotes@agency.example>',
    to: 'Dana Reyes <dana@broker.example>',
    subject: 'second',
    message_id: '<evt_second@agency.example>',
    date: '2026-11-21T20:07:25.000Z',
    text: 'two\n',
    html: '<p>two</p>\n',
    raw_url: `/messages/${id}/raw`,
  });
  assert.ok(Math.abs(Date.parse(receivedAt) - Date.now()) < 60_000);
  assert.equal((await call('GET', latest.raw_url)).body, Buffer.from(raw).toString());
  const { body } = await call('GET', `/messages/${id}`);
  for (const words of ['second', 'Dana Reyes &lt;dana@broker.example>', `src="/messages/${id}/html"`, 'sandbox'])
    assert.ok(body.includes(words), words);
  assert.match((await call('GET', '/')).body, /second[\s\S]*first/);
});

test('caught mail survives a restart', async () => {
  await send({ subject: 'kept', text: 'one', html: '' });
  const [{ id } = { id: '' }] = await list();
  const again = await start(config);
  const kept = await call('GET', `/messages/${id}`, { port: again.httpPort });
  assert.equal(kept.status, 200);
  await again.stop();
});

test('only the newest mails are kept, in the order of their coming', async () => {
  const small = await openMailbox(path.join(folder, 'small'), { most: 3 });
  const ids: string[] = [];
  for (const text of ['1', '2', '3', '4', '5']) ids.push(await small.add(Buffer.from(text)));
  assert.deepEqual(await small.list(), ids.slice(2).reverse());
  assert.equal(readdirSync(path.join(folder, 'small')).length, 3);
});

test('mail is cleared by the button of the page and by DELETE', async () => {
  for (const [method, place, status] of [
    ['POST', '/messages/clear', 303],
    ['DELETE', '/messages', 204],
  ] as const) {
    await send({ subject: 'gone', text: 'one', html: '' });
    assert.equal((await call(method, place)).status, status);
    assert.deepEqual(await list(), []);
  }
});

test('a mail that is no mail is kept and shown all the same', async () => {
  const raw = Buffer.from('\xff\xfe no header at all \r\n', 'latin1');
  await mailer.send({ raw, from: FROM.address, to: TO.address });
  const [message] = await list();
  assert.equal(message?.subject, '');
  assert.match((await call('GET', '/')).body, /\(no subject\)/);
  assert.equal((await call('GET', message?.raw_url ?? '')).status, 200);
});

test('a mail over five megabytes is refused for good', async () => {
  const raw = Buffer.from(`Subject: big\r\n\r\n${'x'.repeat(998)}\r\n`.padEnd(5_300_000, 'line of text\r\n'));
  await assert.rejects(
    mailer.send({ raw, from: FROM.address, to: TO.address }),
    (error) => error instanceof MailFailure && error.code === 'message_rejected',
  );
  assert.deepEqual(await list(), []);
});

test('health is 200, and so is its HEAD; what is not here is 404; a wrong method is 405', async () => {
  assert.equal((await call('GET', '/health')).status, 200);
  const head = await call('HEAD', '/');
  assert.deepEqual([head.status, head.body], [200, '']);
  for (const place of [
    '/nothing',
    '/messages/000000000000000-00000000',
    '/messages/..%2f..%2fsecrets',
    '/messages/x/html',
  ])
    assert.equal((await call('GET', place)).status, 404, place);
  const wrong = await call('POST', '/messages.json');
  assert.deepEqual([wrong.status, wrong.headers['allow']], [405, 'GET']);
});

describe('what a mail or another site might try', () => {
  const HTML = '<script>fetch("/messages.json")</script><img src="https://evil.example/x.png"><form action="/">';

  test('the HTML of a mail may run, load and send nothing, and stands in a sandbox', async () => {
    await send({ subject: 'evil', text: 'one', html: HTML });
    const [{ id } = { id: '' }] = await list();
    const { headers, body } = await call('GET', `/messages/${id}/html`);
    assert.equal(body.trim(), HTML);
    const policy = String(headers['content-security-policy']);
    for (const rule of ['sandbox;', "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"])
      assert.ok(policy.includes(rule), rule);
    assert.doesNotMatch(policy, /allow-|script-src|https?:/);
  });

  test('the source of a mail is never taken for a page', async () => {
    await mailer.send({
      raw: Buffer.from('<!doctype html>\r\n<script>1</script>\r\n'),
      from: FROM.address,
      to: TO.address,
    });
    const [message] = await list();
    const { headers } = await call('GET', message?.raw_url ?? '');
    assert.deepEqual(
      [headers['content-type'], headers['x-content-type-options']],
      ['text/plain; charset=utf-8', 'nosniff'],
    );
  });

  test('names, subjects and texts are text on our pages, which allow no script', async () => {
    const words = '</title><script>alert(1)</script>"&';
    await send({ subject: words, text: words, html: '', name: words });
    const [{ id } = { id: '' }] = await list();
    for (const place of ['/', `/messages/${id}`]) {
      const { headers, body } = await call('GET', place);
      assert.ok(!body.includes('<script'), place);
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|script-src|https?:/);
    }
  });

  test('a name of the Internet that leads to this machine reads nothing', async () => {
    for (const host of ['evil.example', 'evil.example:8025', '127.0.0.1.evil.example', 'localhost@evil.example', '[']) {
      assert.equal((await call('GET', '/messages.json', { headers: { Host: host } })).status, 403, host);
    }
    for (const host of ['localhost:8025', '127.0.0.1', '[::1]:8025'])
      assert.equal((await call('GET', '/messages.json', { headers: { Host: host } })).status, 200, host);
  });

  test('another site clears nothing', async () => {
    await send({ subject: 'stays', text: 'one', html: '' });
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:1' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: `http://127.0.0.1:${catcher.httpPort}` },
    ];
    for (const headers of foreign) {
      assert.equal((await call('POST', '/messages/clear', { headers })).status, 403);
      assert.equal((await call('DELETE', '/messages', { headers })).status, 403);
    }
    assert.equal((await list()).length, 1);
    const own = { Origin: `http://127.0.0.1:${catcher.httpPort}`, 'Sec-Fetch-Site': 'same-origin' };
    assert.equal((await call('POST', '/messages/clear', { headers: own })).status, 303);
  });
});

type Sent = { subject: string; text: string; html: string; name?: string };

async function send({ subject, text, html, name = TO.name }: Sent): Promise<Uint8Array> {
  const messageId = `<evt_${/^\w+$/.test(subject) ? subject : '1'}@agency.example>`;
  const date = new Date('2026-11-21T20:07:25Z');
  const to = { ...TO, name };
  const raw = await composeMail({ from: FROM, to, subject, text, html, messageId, date });
  await mailer.send({ raw, from: FROM.address, to: TO.address });
  return raw;
}

async function list(): Promise<readonly Message[]> {
  const { body } = await call('GET', '/messages.json');
  const { object, data } = JSON.parse(body) as { object: string; data: readonly Message[] };
  assert.equal(object, 'list');
  return data;
}

type Answer = { status: number; headers: Readonly<Record<string, unknown>>; body: string };
type Options = { headers?: Readonly<Record<string, string>>; port?: number };

/** By hand, because fetch lets nobody choose a Host. */
function call(method: string, place: string, { headers = {}, port = catcher.httpPort }: Options = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: place, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
