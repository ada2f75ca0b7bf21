import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeApiKey } from './api-key.ts';
import { isTurnedAway, shownPath } from './kept-request.ts';

const QUOTE = `qte_${'0aZ'.repeat(7)}9`;
const KEY = makeApiKey('test', 'k3Y'.repeat(14) + 'x');
const TOKEN = 'Zm9v-YmFy_cXV4'.repeat(3) + 'T';

const PATHS: readonly (readonly [sent: string, shown: string])[] = [
  ['/v1/quotes', '/v1/quotes'],
  [`/v1/quotes/${QUOTE}`, `/v1/quotes/${QUOTE}`],
  [`/v1/test_helpers/quotes/${QUOTE}/interest`, `/v1/test_helpers/quotes/${QUOTE}/interest`],
  ['/v1/quotes/qte_cut', '/v1/quotes/qte_cut'],
  ['/v1/quotes/', '/v1/quotes/'],
  ['//v1//quotes', '//v1//quotes'],
  ['/V2/Quote', '/V2/Quote'],
  ['/.env', '/.env'],
  ['/wp-admin/setup-config.php', '/wp-admin/setup-config.php'],
  [`/q/${TOKEN}`, '/q/…'],
  [`/v1/quotes/${KEY}`, '/v1/quotes/…'],
  [`/v1/quotes/${KEY.slice(0, 20)}`, '/v1/quotes/…'],
  ['/v1/quotes/ana@agency.example', '/v1/quotes/…'],
  ['/v1/quotes/12-3456789', '/v1/quotes/…'],
  ['/v1/quotes/%zz', '/v1/quotes/…'],
  ['/v1/quotes/a\u0000b', '/v1/quotes/…'],
];
for (const [sent, shown] of PATHS) {
  test(`of the path ${JSON.stringify(sent)} is shown ${shown}`, () => assert.equal(shownPath(sent), shown));
}

const anySecret = fc.oneof(
  fc.constantFrom(KEY, TOKEN, 'ana@agency.example', '12-3456789', 'a secret with blanks'),
  fc.stringMatching(/^[\w-]{43}$/).filter((token) => !/^(qte|app|req|pol|opt)_/.test(token)),
);

test('wherever a secret stands in a path, it is not shown, and no path is longer than 200 characters', () => {
  fc.assert(
    fc.property(fc.array(fc.webSegment(), { maxLength: 40 }), anySecret, fc.nat(), (parts, secret, at) => {
      const path = parts.toSpliced(at % (parts.length + 1), 0, secret).join('/');
      assert.ok(!shownPath(`/${path}`).includes(secret));
      assert.ok(shownPath(`/${path}`).length <= 200);
    }),
  );
});

const SENDER = { agencyId: 'agy_1', mode: 'test', keyId: 'key_1' } as const;
for (const [what, request, expected] of [
  ['a quote that was made', { sender: SENDER, status: 201 }, false],
  ['a refusal that counts', { sender: SENDER, status: 422 }, false],
  ['a key that is not known', { sender: null, status: 401 }, true],
  ['a key that was revoked', { sender: SENDER, status: 401 }, true],
  ['a key that is over a limit', { sender: SENDER, status: 429 }, true],
  ['a path outside the API', { sender: null, status: 404 }, true],
  ['a caller without a key that broke off', { sender: null, status: 0 }, true],
  ['a key that could not be looked up', { sender: null, status: 503 }, false],
] as const) {
  test(`${what} is ${expected ? '' : 'not '}turned away`, () => assert.equal(isTurnedAway(request), expected));
}
