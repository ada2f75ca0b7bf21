import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import fc from 'fast-check';
import { parseListQuery } from './list-query.ts';

const NOTHING = { limit: 20, startingAfter: null, clientReferenceId: null };

const READ: readonly (readonly [query: string, read: object])[] = [
  ['', {}],
  ['limit=1', { limit: 1 }],
  ['limit=100', { limit: 100 }],
  ['limit=007', { limit: 7 }],
  ['l%69mit=%35', { limit: 5 }],
  ['&&limit=5&', { limit: 5 }],
  ['starting_after=app_1&limit=2', { startingAfter: 'app_1', limit: 2 }],
  ['starting_after=', { startingAfter: '' }],
  ['starting_after', { startingAfter: '' }],
  ['client_reference_id=', { clientReferenceId: '' }],
  ['client_reference_id=a+b%2Bc%20d%26', { clientReferenceId: 'a b+c d&' }],
  ['client_reference_id=a=b=', { clientReferenceId: 'a=b=' }],
  ['client_reference_id=%C3%A9', { clientReferenceId: 'é' }],
];

for (const [query, read] of READ) {
  test(`reads ?${query}`, () => {
    assert.deepEqual(parseListQuery(query), { ...NOTHING, ...read });
  });
}

test('whatever a form can hold comes through unchanged', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((value) => !value.includes('\0'));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), text, text, (limit, startingAfter, clientReferenceId) => {
      const form = { limit: String(limit), starting_after: startingAfter, client_reference_id: clientReferenceId };
      const read = { limit, startingAfter, clientReferenceId };
      assert.deepEqual(parseListQuery(new URLSearchParams(form).toString()), read);
      const encoded = Object.entries(form).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      assert.deepEqual(parseListQuery(encoded.join('&')), read);
    }),
  );
});

const REFUSED: readonly (readonly [query: string, problems: readonly (readonly [code: string, message: string])[]])[] =
  [
    ['limt=5', [['UNKNOWN_FIELD', 'limt is not a known parameter. Did you mean "limit"?']]],
    ['updated_since=2026', [['UNKNOWN_FIELD', 'updated_since is not a known parameter.']]],
    ['Limit=5', [['UNKNOWN_FIELD', 'Limit is not a known parameter. Did you mean "limit"?']]],
    ['__proto__=5', [['UNKNOWN_FIELD', '__proto__ is not a known parameter.']]],
    ['=5', [['UNKNOWN_FIELD', '[""] is not a known parameter.']]],
    ['%zz=5', [['UNKNOWN_FIELD', '["%zz"] is not a known parameter.']]],
    ['limit=5&limit=5', [['TOO_MANY', 'limit must be sent once at most; it was sent 2 times.']]],
    ['limit=5&%6cimit=6&limit=7', [['TOO_MANY', 'limit must be sent once at most; it was sent 3 times.']]],
    ['client_reference_id=%00', [['INVALID_VALUE', 'client_reference_id must not hold the character NUL (U+0000).']]],
    [
      `client_reference_id=${'x'.repeat(256)}`,
      [['TOO_LONG', 'client_reference_id must be at most 255 characters long.']],
    ],
    [
      'limit=0&a=1&a=2&limit=x&client_reference_id=%00',
      [
        ['TOO_MANY', 'limit must be sent once at most; it was sent 2 times.'],
        ['UNKNOWN_FIELD', 'a is not a known parameter.'],
        ['INVALID_VALUE', 'client_reference_id must not hold the character NUL (U+0000).'],
      ],
    ],
  ];

describe('a query with parameters that cannot be is refused with all of them', () => {
  for (const [query, problems] of REFUSED) {
    test(`?${query.slice(0, 60)}`, () => {
      assert.throws(
        () => parseListQuery(query),
        (error) => {
          assert.ok(error instanceof ServiceError);
          assert.deepEqual([error.code, error.message], ['VALIDATION_FAILED', problems[0]?.[1]]);
          assert.deepEqual(
            error.details.map(({ code, message }) => [code, message]),
            problems,
          );
          assert.ok(error.details.every(({ param = '', message }) => param !== '' && message.startsWith(param)));
          return true;
        },
      );
    });
  }
});

test('what is no escape stands for itself', () => {
  const { startingAfter, clientReferenceId } = parseListQuery('starting_after=%ff&client_reference_id=100%+sure');
  assert.deepEqual([startingAfter, clientReferenceId], ['%ff', '100% sure']);
});

describe('a limit outside 1 to 100, or not in plain digits, is INVALID_PAGINATION', () => {
  for (const limit of [
    '0',
    '101',
    '-1',
    '%2B5',
    '+5',
    '%',
    '%zz',
    '5.0',
    '1e1',
    '0x10',
    '',
    '%20',
    '٣',
    '9'.repeat(400),
  ]) {
    test(`?limit=${limit.slice(0, 20)}`, () => {
      assert.throws(() => parseListQuery(`limit=${limit}`), {
        code: 'INVALID_PAGINATION',
        param: 'limit',
        message: /^limit must be a whole number from 1 to 100, in digits; "/,
      });
    });
  }
});
