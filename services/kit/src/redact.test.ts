import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEmailAddress } from './email-address.ts';
import { redact } from './redact.ts';

/** What must not be told, and a text as it comes from elsewhere that tells it. */
const TOLD: readonly { readonly what: string; readonly secret: string; readonly text: string }[] = [
  { what: 'a live key', secret: 'k3y', text: 'no such key: pfq_live_k3yABCdefGHI was used' },
  { what: 'a test key', secret: 'k3y', text: 'pfq_test_k3yABC' },
  { what: 'a hosted link', secret: 'Ab9', text: 'GET https://quotes.example/q/Ab9xYz/review failed' },
  { what: 'a bare token', secret: 'x'.repeat(43), text: `hash of ${'x'.repeat(43)} is unknown` },
  { what: 'a bearer credential', secret: 'hunter2', text: 'refused "Authorization: Bearer hunter2"' },
  {
    what: 'a password in a URL',
    secret: 'hunter2',
    text: 'cannot reach postgres://app:hunter2@db.example:5432/quotes',
  },
  { what: 'a password in a setting', secret: 'hunter2', text: 'option smtp_password=hunter2, port=25' },
  { what: 'a token in JSON', secret: 'hunter2', text: `answered 'api-key': 'hunter2'` },
  { what: 'an email address', secret: 'eve', text: 'Mailbox eve@insured.example is full' },
  { what: 'an email address in brackets', secret: 'eve', text: 'RCPT TO:<eve.b@insured> 550' },
  { what: 'an email address beside a package', secret: 'eve', text: 'eve@x.example in node_modules/@pfq/kit' },
  { what: 'an employer number', secret: '12-3456789', text: 'FEIN 12-3456789 is taken' },
  { what: 'an employer number without its dash', secret: '123456789', text: 'fein=123456789;' },
  { what: 'a personal tax number', secret: '123-45-6789', text: 'number 123-45-6789' },
  {
    what: 'a value that PostgreSQL refused',
    secret: 'Joe',
    text: 'invalid input syntax for type integer: "Joe "s Diner"',
  },
  { what: 'a value out of range', secret: '99999', text: 'value "99999999999" is out of range for type integer' },
  { what: 'a row that PostgreSQL refused', secret: 'Joe', text: 'Failing row contains (1, Joe (LLC), null).' },
  { what: 'what JSON.parse could not read', secret: 'Joe', text: `Unexpected token 'J', "Joe"s..." is not valid JSON` },
  { what: 'a body', secret: 'Joe', text: 'upstream said 400 {"insured":{"name":"Joe"}} and hung up' },
  { what: 'a body that was cut off', secret: 'Joe', text: 'sent {\n  "insured": "Joe' },
  { what: 'a list', secret: 'Joe', text: 'sent ["Joe"]' },
];

for (const { what, secret, text } of TOLD) {
  test(`${what} is taken out`, () => {
    assert.ok(text.includes(secret));
    assert.ok(!redact(text).includes(secret), redact(text));
  });
}

test('what helps whoever looks for a cause stays', () => {
  for (const text of [
    'connect ECONNREFUSED 127.0.0.1:5432',
    'duplicate key value violates unique constraint "quotes_pkey"',
    'relation "schema_migrations" does not exist',
    'password authentication failed for user "gateway"',
    'canceling statement due to statement timeout',
    'getaddrinfo ENOTFOUND quote-store.pfq.svc',
    '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED',
    'the quote qte_0Abc9fGh2Jkl3mno4pqrs5 of agy_0Abc9fGh2Jkl3mno4pqrs5 is unknown',
    'trace 4bf92f3577b34da6a3ce929d0e0e4736 took 1731234567890 ms',
    `Cannot find package '@pfq/kit' imported from /srv/node_modules/@opentelemetry/api/build/index.js`,
  ]) {
    assert.equal(redact(text), text);
  }
});

const WORDS = ['could not', 'do', 'it:', 'for', '"', '(', 'of type', '\n', 'status=550', '{', '.'];
/** Something around a canary, such as errors say. */
const around = fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((words) => words.join(' '));
const letters = (length: number) => fc.stringMatching(new RegExp(`^[0-9A-Za-z]{${length}}$`));
const emails = fc.emailAddress().filter(isEmailAddress);
const canaries = fc.oneof(
  letters(49).map((secret) => ({ secret, shown: `pfq_live_${secret}` })),
  letters(43).map((secret) => ({ secret, shown: `https://quotes.example/q/${secret}` })),
  letters(43).map((secret) => ({ secret, shown: secret })),
  letters(12).map((secret) => ({ secret, shown: `Bearer ${secret}` })),
  letters(12).map((secret) => ({ secret, shown: `smtp://user:${secret}@mail.example` })),
  letters(12).map((secret) => ({ secret, shown: JSON.stringify({ note: secret }) })),
  letters(12).map((secret) => ({ secret, shown: `: "${secret}"` })),
  emails.map((secret) => ({ secret, shown: secret })),
  fc.stringMatching(/^\d{2}-\d{7}$/).map((secret) => ({ secret, shown: secret })),
);

test('whatever is said around it, nothing secret is left', () => {
  fc.assert(
    fc.property(around, canaries, around, (before, { secret, shown }, after) => {
      const text = redact(`${before} ${shown} ${after}`);
      assert.ok(!text.includes(secret), text);
    }),
    { numRuns: 2_000 },
  );
});

test('a long text is cut, and takes no time', () => {
  assert.equal(redact('a b '.repeat(1_000_000)).length, 2_001);
  for (const text of [
    'a'.repeat(5_000_000),
    'a@'.repeat(1_000_000),
    '{['.repeat(1_000_000),
    'x-token'.repeat(500_000),
  ]) {
    const start = performance.now();
    redact(text);
    assert.ok(performance.now() - start < 250, `${performance.now() - start} ms`);
  }
});
