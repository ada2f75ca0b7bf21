import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';
import { mailConflicts, mailSettings } from './mail-settings.ts';

const VALID = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'quotes@agency.example' };

const SERVERS: Readonly<Record<string, readonly [host: string, port: number, isTlsFromStart: boolean]>> = {
  'smtp://mail.example': ['mail.example', 587, false],
  'smtp://mail.example:2525/': ['mail.example', 2525, false],
  'smtps://mail.example': ['mail.example', 465, true],
  'smtp://127.0.0.1:25': ['127.0.0.1', 25, false],
  'smtps://[::1]:10465': ['::1', 10465, true],
};
for (const [url, [host, port, isTlsFromStart]] of Object.entries(SERVERS)) {
  test(`${url} is port ${port} of ${host}, encrypted ${isTlsFromStart ? 'from the start' : 'by STARTTLS'}`, () => {
    const { smtpUrl, smtpTls } = readConfig(mailSettings, { ...VALID, SMTP_URL: url });
    assert.deepEqual(smtpUrl, { host, port, isTlsFromStart, credentials: null });
    assert.equal(smtpTls, 'required');
  });
}

test('a user and a password of any characters are read', () => {
  const url = `smtp://${encodeURIComponent('a@b.example')}:${encodeURIComponent('p:/?#@% ü')}@mail.example`;
  const { smtpUrl } = readConfig(mailSettings, { ...VALID, SMTP_URL: url });
  assert.deepEqual(smtpUrl.credentials, { user: 'a@b.example', password: 'p:/?#@% ü' });
});

test('an address of a mail server that cannot be one is refused, and its password is in no message', () => {
  const wrong = [
    'mail.example:25',
    'http://mail.example',
    'smtp://',
    'smtp://hunter2@mail.example',
    'smtp://:hunter2@mail.example',
    'smtp://u:hunter2@mail.example/inbox',
    'smtp://u:hunter2@mail.example?tls=no',
    'smtp://u:hunter2@mail.example:99999',
  ];
  for (const url of wrong) {
    assert.deepEqual(problemsOf({ ...VALID, SMTP_URL: url }), [
      'SMTP_URL must be a URL such as smtp://user:password@host:587 or smtps://host',
    ]);
  }
});

const SENDERS: Readonly<Record<string, { readonly name: string | null; readonly address: string }>> = {
  'quotes@agency.example': { name: null, address: 'quotes@agency.example' },
  '<quotes@agency.example>': { name: null, address: 'quotes@agency.example' },
  'Quotes <quotes@agency.example>': { name: 'Quotes', address: 'quotes@agency.example' },
  '"Quotes, Texas" <quotes@agency.example>': { name: 'Quotes, Texas', address: 'quotes@agency.example' },
  'Büro Köln  <quotes@agency.example>': { name: 'Büro Köln', address: 'quotes@agency.example' },
};
for (const [given, expected] of Object.entries(SENDERS)) {
  test(`the sender ${given} is read`, () => {
    assert.deepEqual(readConfig(mailSettings, { ...VALID, MAIL_FROM: given }).mailFrom, expected);
  });
}

for (const given of [
  'Quotes',
  'a@b.example, c@d.example',
  'Quotes <a@b.example> more',
  '<<a@b.example>',
  'ü@b.example',
]) {
  test(`${given} is no sender`, () => {
    assert.match(problemsOf({ ...VALID, MAIL_FROM: given }).join(), /^MAIL_FROM must be like Quotes </);
  });
}

test('mail without encryption is for servers without a password that do not speak TLS anyway', () => {
  const conflictsOf = (url: string) =>
    mailConflicts(readConfig(mailSettings, { ...VALID, SMTP_URL: url, SMTP_TLS: 'never' })).length;
  assert.equal(conflictsOf('smtp://127.0.0.1:1025'), 0);
  assert.equal(conflictsOf('smtp://u:hunter2@mail.example'), 1);
  assert.equal(conflictsOf('smtps://mail.example'), 1);
  assert.deepEqual(mailConflicts(readConfig(mailSettings, { ...VALID, SMTP_URL: 'smtps://u:p@mail.example' })), []);
});

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(mailSettings, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
