import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../../../tests/support/certificates.ts';
import { startSmtp } from '../../../tests/support/smtp.ts';
import type { ScriptedSmtp, SmtpOptions, SmtpScript } from '../../../tests/support/smtp.ts';
import { ConfigError } from './config.ts';
import { createLogger } from './log.ts';
import { MailerClosed } from './mail-failure.ts';
import { MAIL_TIMEOUTS, MailFailure, openMailer } from './mail.ts';
import type { MailConfig, Mailer } from './mail.ts';

const logger = createLogger({ service: 'test', level: 'fatal', format: 'json' });
const FROM = { name: 'Quotes', address: 'quotes@agency.example' };
const RAW = Buffer.from('Subject: one\r\n\r\n.starts with a dot\r\nends\r\n');
const MAIL = { raw: RAW, from: FROM.address, to: 'dana@broker.example' };
const SHORT = { connectMs: 2_000, handOverMs: 5_000, answerMs: 200, closeMs: 100 };

let smtp: ScriptedSmtp;
let mailer: Mailer;
before(async () => {
  smtp = await startSmtp();
  mailer = openMailer(configOf(smtp), logger, SHORT);
});
after(async () => {
  await mailer.close();
  await smtp.stop();
});
beforeEach(() => smtp.behave({}));

test('a mail arrives byte for byte, for the recipient of its envelope alone', async () => {
  const raw = Buffer.from('From: other@b.example\r\nTo: more@c.example, many@d.example\r\n\r\n.dot\r\n\r\n..\r\n');
  await mailer.send({ ...MAIL, raw });
  assert.deepEqual(smtp.received.at(-1), {
    raw,
    from: FROM.address,
    to: [MAIL.to],
    isEncrypted: false,
    user: null,
  });
});

test('more mails than connections all arrive, over five connections at most', async () => {
  const earlier = { connections: smtp.connections(), mails: smtp.received.length };
  await Promise.all(Array.from({ length: 40 }, () => mailer.send(MAIL)));
  assert.equal(smtp.received.length - earlier.mails, 40);
  assert.ok(smtp.connections() - earlier.connections <= 5);
});

test('connections that the server has ended while they were idle fail no mail', async () => {
  await Promise.all(Array.from({ length: 5 }, () => mailer.send(MAIL)));
  smtp.hangUp();
  const mails = smtp.received.length;
  await Promise.all(Array.from({ length: 5 }, () => mailer.send(MAIL)));
  assert.equal(smtp.received.length - mails, 5);
});

test('an address that is more than one address reaches nobody', async () => {
  for (const to of ['a@b.example, c@d.example', 'a@b.example\r\nRCPT TO:<c@d.example>', 'Dana <a@b.example>', '']) {
    const mails = smtp.received.length;
    const failure = await failureOf(mailer.send({ ...MAIL, to }));
    assert.equal(failure.code, 'mailbox_rejected');
    assert.equal(smtp.received.length, mails);
  }
});

type Outcome = readonly [code: MailFailure['code'], reply: RegExp];
const OUTCOMES: Readonly<Record<string, { readonly script: Partial<SmtpScript>; readonly outcome: Outcome }>> = {
  'the sender is refused': {
    script: { replies: { MAIL: '550 5.7.1 Not you' } },
    outcome: ['message_rejected', /^550 5\.7\.1 Not you$/],
  },
  'the mailbox does not exist': {
    script: { replies: { RCPT: '550 5.1.1 No such user' } },
    outcome: ['mailbox_rejected', /^550 5\.1\.1 No such user$/],
  },
  'the message is refused before it comes': {
    script: { replies: { DATA: '554 5.5.0 No data' } },
    outcome: ['message_rejected', /^554 5\.5\.0 No data$/],
  },
  'the message is refused when it is complete': {
    script: { message: '554 5.7.1 Looks like spam' },
    outcome: ['message_rejected', /^554 5\.7\.1 Looks like spam$/],
  },
  'the message is too big': {
    script: { message: '552 5.3.4 Too big' },
    outcome: ['message_rejected', /^552 5\.3\.4 Too big$/],
  },
  'the mailbox is busy': {
    script: { replies: { RCPT: '451 4.2.1 Busy' } },
    outcome: ['mail_deferred', /^451 4\.2\.1 Busy$/],
  },
  'the server goes down at the recipient': {
    script: { replies: { RCPT: '421 4.3.2 Closing' } },
    outcome: ['mail_server_unavailable', /^421 4\.3\.2 Closing$/],
  },
  'the sender is greylisted': {
    script: { replies: { MAIL: '450 4.7.1 Come back' } },
    outcome: ['mail_deferred', /^450 4\.7\.1 Come back$/],
  },
  'the server has no space at DATA': {
    script: { replies: { DATA: '452 4.3.1 Full' } },
    outcome: ['mail_deferred', /^452 4\.3\.1 Full$/],
  },
  'the message is put off when it is complete': {
    script: { message: '451 4.7.1 Later' },
    outcome: ['mail_deferred', /^451 4\.7\.1 Later$/],
  },
  'the server goes down when the message is complete': {
    script: { message: '421 4.3.2 Closing' },
    outcome: ['mail_server_unavailable', /^421 4\.3\.2 Closing$/],
  },
  'the server demands a login that is not configured': {
    script: { replies: { MAIL: '530 5.7.0 Authentication required' } },
    outcome: ['mail_server_unavailable', /^530 5\.7\.0 Authentication required$/],
  },
  'the server greets with a refusal': {
    script: { greeting: '554 5.3.2 No service' },
    outcome: ['mail_server_unavailable', /^554 (\S+ )?5\.3\.2 No service$/],
  },
  'the server knows neither EHLO nor HELO': {
    script: { replies: { EHLO: '502 5.5.1 What', HELO: '502 5.5.1 What' } },
    outcome: ['mail_server_unavailable', /^502 5\.5\.1 What$/],
  },
  'the server is silent after the message': {
    script: { message: 'hang' },
    outcome: ['outcome_unknown', /^not done within 200 ms$/],
  },
  'the server hangs up within the message, which nobody knows here': {
    script: { message: 'drop-midway' },
    outcome: ['outcome_unknown', /closed/],
  },
  'the server hangs up after the message': {
    script: { message: 'drop' },
    outcome: ['outcome_unknown', /closed/],
  },
};
for (const [circumstance, { script, outcome }] of Object.entries(OUTCOMES)) {
  const [code, reply] = outcome;
  test(`where ${circumstance}, the failure is ${code}, and the next mail arrives`, async () => {
    const idle = openMailer(configOf(smtp), logger, SHORT);
    smtp.behave(script);
    const failure = await failureOf(idle.send(MAIL));
    assert.equal(failure.code, code);
    assert.match(failure.reply, reply);
    smtp.behave({});
    const mails = smtp.received.length;
    await idle.send(MAIL);
    assert.equal(smtp.received.length, mails + 1);
    await idle.close();
  });
}

test('a server that is away is tried again, and found when it is back on its port', async (t) => {
  const other = await startServer(t, {});
  const patient = open(t, other);
  await patient.send(MAIL);
  await other.goAway();
  const failure = await failureOf(patient.send(MAIL));
  assert.equal(failure.code, 'mail_server_unavailable');
  assert.match(failure.reply, /ECONNREFUSED/);
  await other.comeBack();
  await patient.send(MAIL);
  assert.equal(other.received.length, 2);
});

test('closing lets a mail under way finish, and cuts off one whose answer does not come', async (t) => {
  const finishing = open(t, smtp, { closeMs: 5_000 });
  const taken = finishing.send(MAIL);
  await Promise.all([taken, finishing.close()]);
  await assert.rejects(finishing.send(MAIL), MailerClosed);
  smtp.behave({ message: 'hang' });
  const hanging = open(t, smtp, { answerMs: 60_000 });
  const mails = smtp.received.length;
  const lost = failureOf(hanging.send(MAIL));
  await untilTrue(() => smtp.received.length > mails);
  await hanging.close();
  const { code, reply } = await lost;
  assert.deepEqual([code, reply], ['outcome_unknown', 'cut off, because the service stops']);
});

for (const command of ['EHLO', 'MAIL', 'RCPT', 'DATA'] as const) {
  test(`closing leaves a mail untried that is not handed over because the server is silent at ${command}`, async (t) => {
    smtp.behave({ replies: { [command]: 'hang' } });
    const hanging = open(t, smtp);
    const connections = smtp.connections();
    const untried = assert.rejects(hanging.send(MAIL), MailerClosed);
    await untilTrue(() => smtp.connections() > connections);
    await hanging.close();
    await untried;
  });
}

test('a server may take minutes for each step, and ten of them for its answer to the message, as RFC 5321 wants', () => {
  assert.ok(MAIL_TIMEOUTS.handOverMs >= 5 * 60_000);
  assert.ok(MAIL_TIMEOUTS.answerMs >= 10 * 60_000);
});

test('a server has longer for its answer to the message than for all that comes before it', async (t) => {
  smtp.behave({ message: 'hang' });
  const late = await failureOf(open(t, smtp, { handOverMs: 500, answerMs: 800 }).send(MAIL));
  assert.deepEqual([late.code, late.reply], ['outcome_unknown', 'not done within 800 ms']);
  smtp.behave({ replies: { RCPT: 'hang' } });
  const silent = await failureOf(open(t, smtp, { handOverMs: 500, answerMs: 60_000 }).send(MAIL));
  assert.deepEqual([silent.code, silent.reply], ['mail_server_unavailable', 'not done within 500 ms']);
});

describe('encryption and login', () => {
  const certificate = selfSigned();
  const login = { user: 'pfq', password: 'correct horse battery' };
  const credentials = { credentials: login };

  test('a certificate that nobody vouches for is refused before anything is said', async (t) => {
    const server = await startServer(t, { certificate: selfSigned(), login });
    const failure = await failureOf(open(t, server, {}, credentials).send(MAIL));
    assert.equal(failure.code, 'mail_server_unavailable');
    assert.match(failure.reply, /self-signed certificate/);
  });

  test('a server without encryption gets no mail where encryption is required', async (t) => {
    const server = await startServer(t, { login });
    const failure = await failureOf(open(t, server, {}, credentials).send(MAIL));
    assert.equal(failure.code, 'mail_server_unavailable');
    assert.deepEqual(server.received, []);
  });

  for (const isTlsFromStart of [false, true]) {
    test(`mail goes out encrypted and logged in by ${isTlsFromStart ? 'TLS from the start' : 'STARTTLS'}`, async (t) => {
      setDefaultCACertificates([...getCACertificates(), certificate.cert]);
      const server = await startServer(t, { certificate, isTlsFromStart, login });
      await open(t, server, {}, { ...credentials, isTlsFromStart }).send(MAIL);
      assert.deepEqual(
        server.received.map(({ isEncrypted, user }) => ({ isEncrypted, user })),
        [{ isEncrypted: true, user: 'pfq' }],
      );
    });
  }

  test('a wrong password is the configuration’s fault, not the mail’s, and is in no reply', async (t) => {
    setDefaultCACertificates([...getCACertificates(), certificate.cert]);
    const server = await startServer(t, { certificate, login });
    const wrong = { credentials: { user: 'pfq', password: 'wrong one' } };
    const failure = await failureOf(open(t, server, {}, wrong).send(MAIL));
    assert.equal(failure.code, 'mail_server_unavailable');
    assert.match(failure.reply, /535/);
    server.behave({ replies: { AUTH: `535 5.7.8 No login for pfq with wrong one` } });
    const repeated = await failureOf(open(t, server, {}, wrong).send(MAIL));
    assert.equal(repeated.reply, '535 5.7.8 No login for pfq with ***');
  });

  test('a password is never sent to a server that offers no login, nor is the mail', async (t) => {
    setDefaultCACertificates([...getCACertificates(), certificate.cert]);
    const server = await startServer(t, { certificate });
    const failure = await failureOf(open(t, server, {}, credentials).send(MAIL));
    assert.equal(failure.code, 'mail_server_unavailable');
    assert.deepEqual(server.received, []);
  });

  test('a password without encryption is refused before anything starts', () => {
    const config = { ...configOf(smtp, credentials), smtpTls: 'never' as const };
    assert.throws(() => openMailer(config, logger), ConfigError);
  });
});

type Server = Partial<MailConfig['smtpUrl']>;

function configOf({ port }: ScriptedSmtp, server: Server | null = null): MailConfig {
  const plain = { host: '127.0.0.1', port, isTlsFromStart: false, credentials: null };
  return { smtpUrl: { ...plain, ...server }, smtpTls: server === null ? 'never' : 'required', mailFrom: FROM };
}

function open(t: TestContext, server: ScriptedSmtp, timeouts: Partial<typeof SHORT> = {}, how: Server | null = null) {
  const opened = openMailer(configOf(server, how), logger, { ...SHORT, ...timeouts });
  t.after(() => opened.close());
  return opened;
}

async function startServer(t: TestContext, options: SmtpOptions): Promise<ScriptedSmtp> {
  const server = await startSmtp(options);
  t.after(() => server.stop());
  return server;
}

async function failureOf(sending: Promise<void>): Promise<MailFailure> {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof MailFailure, `not a MailFailure: ${String(error)}`);
  return error;
}

async function untilTrue(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
