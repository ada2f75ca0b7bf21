import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonObject } from '@pfq/kit/json';
import { parseBody } from './body.ts';

test('an entirely empty body is an object without members', () => {
  assert.deepEqual(parseBody(Buffer.alloc(0)), new JsonObject(new Map()));
});

const REFUSED: readonly (readonly [body: string | Uint8Array, message: string])[] = [
  ['{"a":1,\n "a":2}', 'line 2, column 2: the member "a" appears twice in one object.'],
  [' \n ', 'line 2, column 2: there is no value.'],
  ['{', 'line 1, column 2: a member name in double quotes was expected, the end of the text was found.'],
  [Uint8Array.of(0x22, 0xff, 0x22), 'line 1, column 2: the bytes are not valid UTF-8.'],
];
for (const [body, message] of REFUSED) {
  test(`a body that is no JSON is refused with its fault: ${message}`, () => {
    assert.throws(() => parseBody(Buffer.from(body)), {
      name: 'ServiceError',
      code: 'INVALID_JSON',
      message: `The body is not valid JSON at ${message}`,
    });
  });
}
