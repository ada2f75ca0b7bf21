import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeApiKey } from './api-key.ts';
import { isTurnedAway, shownPath } from './kept-request.ts';

const QUOTE = `qte_${'0aZ'.repeat(7)}9`;
const KEY = makeApiKey('test', 'k3Y'.repeat(14) + 'x');
const TOKEN = 'Zm9v-YmFy_cXV4'.repeat(3) + 'T';

const WORDS = new Set(['', 'v1', 'quotes', 'test_helpers', 'interest']);

const PATHS: readonly (readonly [sent: string, shown: string])[] = [
  ['/v1/quotes', '/v1/quotes'],
  [`/v1/quotes/${QUOTE}`, `/v1/quotes/${QUOTE}`],
  [`/v1/test_helpers/quotes/${QUOTE}/interest`, `/v1/test_helpers/quotes/${QUOTE}/interest`],
  [`/v1/applications/${QUOTE.replace('qte', 'app')}`, `/v1/…/${QUOTE.replace('qte', 'app')}`],
  ['/v1/quotes/', '/v1/quotes/'],
  ['//v1//quotes', '//v1//quotes'],
  ['/v1/quotes/qte_cut', '/v1/quotes/…'],
  ['/v1/quotes/qte_DanaSmith', '/v1/quotes/…'],
  ['/v1/quotes/opt_DanaSmithOfLoneStarIns', '/v1/quotes/…'],
  ['/v1/quotes/Dana-Smith', '/v1/quotes/…'],
  ['/v1/Smith/quotes/dana', '/v1/…/quotes/…'],
  ['/V1/Quotes', '/…/…'],
  ['/.env', '/…'],
  ['/constructor', '/…'],
  [`/q/${TOKEN}`, '/…/…'],
  [`/v1/quotes/${KEY}`, '/v1/quotes/…'],
  [`/v1/quotes/${KEY.slice(0, 20)}`, '/v1/quotes/…'],
  ['/v1/quotes/ana@agency.example', '/v1/quotes/…'],
  ['/v1/quotes/12-3456789', '/v1/quotes/…'],
  ['/v1/quotes/7', '/v1/quotes/…'],
  ['/v1/quotes/%zz', '/v1/quotes/…'],
  ['/v1/quotes/a\u0000b', '/v1/quotes/…'],
];
for (const [sent, shown] of PATHS) {
  test(`of the path ${JSON.stringify(sent)} is shown ${shown}`, () => assert.equal(shownPath(sent, WORDS), shown));
}

const anySecret = fc.oneof(
  fc.constantFrom(KEY, TOKEN, 'ana@agency.example', '12-3456789', 'a secret with blanks', 'Dana-Smith', 'dana'),
  fc.stringMatching(/^[A-Za-z]{1,20}$/),
  fc.stringMatching(/^[\w-]{43}$/),
);

test('whatever stands in a path, nothing of it is shown but words of ours and public ids, in 200 characters at most', () => {
  const anyPart = fc.oneof(fc.webSegment(), anySecret, fc.constantFrom(...WORDS, QUOTE));
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 40 }), (parts) => {
      const shown = shownPath(`/${parts.join('/')}`, WORDS);
      assert.ok(shown.length <= 200);
      const whole = shown.length < 200 ? shown.split('/') : shown.split('/').slice(0, -1);
      for (const part of whole) assert.ok(part === '…' || part === QUOTE || WORDS.has(part), part);
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
