import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { TestContext } from 'node:test';
import { startSmtp } from '../../../tests/support/smtp.ts';
import { createLogger } from './log.ts';
import { openMailer } from './mail.ts';
import { recordTelemetry } from './telemetry/recording.test-support.ts';
import { SpanKind } from './telemetry/spans.ts';

const telemetry = recordTelemetry();
beforeEach(() => telemetry.forgetSpans());

const MAIL = { raw: Buffer.from('Subject: secret\r\n\r\nsecret\r\n'), from: 'a@b.example', to: 'secret@c.example' };

/** A mail server and a mailer for it, both ended after the test. */
async function openScene(t: TestContext) {
  const smtp = await startSmtp();
  const mailer = openMailer(
    {
      smtpUrl: { host: '127.0.0.1', port: smtp.port, isTlsFromStart: false, credentials: null },
      smtpTls: 'never',
      mailFrom: { name: null, address: MAIL.from },
    },
    createLogger({ service: 'test', level: 'fatal', format: 'json' }),
    { connectMs: 2_000, handOverMs: 5_000, answerMs: 200, closeMs: 100 },
  );
  t.after(async () => {
    await mailer.close();
    await smtp.stop();
  });
  return { smtp, mailer, check: () => mailer.dependency.check() };
}

test('a mail is a span with the server that it went to, and how it failed, and nothing of the mail', async (t) => {
  const { smtp, mailer } = await openScene(t);
  await mailer.send(MAIL);
  smtp.behave({ replies: { RCPT: '550 5.1.1 secret@c.example is unknown' } });
  await assert.rejects(mailer.send(MAIL));
  const server = { 'server.address': '127.0.0.1', 'server.port': smtp.port };
  assert.deepEqual(
    telemetry.spans().map(({ name, kind, hasFailed, attributes }) => [name, kind, hasFailed, attributes]),
    [
      ['SMTP send', SpanKind.CLIENT, false, server],
      ['SMTP send', SpanKind.CLIENT, true, { ...server, 'error.type': 'mailbox_rejected' }],
    ],
  );
  assert.doesNotMatch(JSON.stringify(telemetry.spans()), /secret/);
});

test('a mail server is well where it greets, and not where it refuses or is away; no login is tried', async (t) => {
  const { smtp, mailer, check } = await openScene(t);
  await check();
  assert.deepEqual([smtp.received.length, mailer.dependency.isVital], [0, false]);
  smtp.behave({ greeting: '554 5.3.2 Go away, secret' });
  await assert.rejects(check(), /^Error: the mail server does not greet: \w+ 554$/);
  await smtp.goAway();
  await assert.rejects(check(), /does not greet: ECONNREFUSED|does not greet: ESOCKET/);
  await smtp.comeBack();
  smtp.behave({});
  await check();
});

test('a mail server that greets and takes no mails is not well until it answers one', async (t) => {
  const { smtp, mailer, check } = await openScene(t);
  smtp.behave({ replies: { MAIL: '530 5.7.0 Authentication required' } });
  await assert.rejects(mailer.send(MAIL), { code: 'mail_server_unavailable' });
  await assert.rejects(check(), /a mail has failed/);
  smtp.behave({ replies: { RCPT: '450 4.2.1 Busy' } });
  await assert.rejects(mailer.send(MAIL), { code: 'mail_deferred' });
  await check();
});
