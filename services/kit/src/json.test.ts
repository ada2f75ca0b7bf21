import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { JsonFault, JsonNumber, JsonObject, MAX_JSON_LEVELS, readJson } from './json.ts';
import type { JsonValue } from './json.ts';

it('reads a name for what it is, whatever names came before', () => {
  read(String.raw`{"x":1,"a\\":1}`);
  agreesWithReference(String.raw`{"x":1,"a\\":1}`);
  assert.deepEqual(names(String.raw`{"x":1,"a\r":1}`), ['x', 'a\r']);
  agreesWithReference(String.raw`{"x":1,"a\r":1}`);
});

describe('reading JSON', () => {
  it('keeps members in the order sent, whatever their names', () => {
    assert.deepEqual(names('{"2":0,"b":0,"1":0,"__proto__":0,"":0,"constructor":0}'), [
      '2',
      'b',
      '1',
      '__proto__',
      '',
      'constructor',
    ]);
  });

  for (const text of [
    '0.250',
    '25e-2',
    '-0',
    '1E+400',
    '0.1000000000000000055511151231257827',
    '123456789012345678901',
  ]) {
    it(`keeps every character of the number ${text}`, () => {
      assert.deepEqual(read(` ${text} `), new JsonNumber(text));
    });
  }

  it('decodes every escape, half a surrogate pair too', () => {
    assert.equal(read(String.raw`"\"\\\/\b\f\n\r\t\u00e9\u00E9\ud83d\ude00\ud800é😀"`), '"\\/\b\f\n\r\téé😀\ud800é😀');
  });

  it(`reads ${MAX_JSON_LEVELS} levels and refuses one more`, () => {
    assert.ok(read('['.repeat(64) + ']'.repeat(64)));
    assert.match(refusal('['.repeat(65) + ']'.repeat(65)), /line 1, column 65: the nesting is deeper than 64 levels/);
    assert.ok(read(`[${'[{}],'.repeat(1000)}0]`), 'siblings are no nesting');
  });

  const refused: readonly (readonly [why: string, text: string | Uint8Array, message: RegExp])[] = [
    ['nothing at all', '', /line 1, column 1: there is no value/],
    ['only whitespace', ' \n ', /line 2, column 2: there is no value/],
    ['a member named twice', '{"a":1,\n "a":2}', /line 2, column 2: the member "a" appears twice/],
    ['a member named twice by an escape', String.raw`{"a":1,"\u0061":2}`, /column 8: the member "a" appears twice/],
    ['a member named twice deep inside', '[{"x":{"__proto__":1,"__proto__":2}}]', /"__proto__" appears twice/],
    ['two values', '{} {}', /column 4: "\{" follows the end of the value/],
    ['a comma before the end of an object', '{"a":1,}', /column 8: a member name in double quotes was expected, "}"/],
    ['a comma before the end of an array', '[1,]', /column 4: a value was expected, "]" was found/],
    ['an unfinished object', '{"a":1', /column 7: "," or "}" was expected, the end of the text was found/],
    ['an unfinished array', '[1', /"," or "\]" was expected, the end of the text/],
    ['an unfinished string', '"abc', /column 5: the text ends inside a string/],
    ['a missing colon', '{"a" 1}', /column 6: ":" after a member name was expected, "1" was found/],
    ['a name without quotes', '{a:1}', /column 2: a member name in double quotes/],
    ['single quotes', "{'a':1}", /column 2: a member name in double quotes/],
    ['a leading zero', '[01]', /column 3: "," or "\]" was expected, "1" was found/],
    ['a leading plus', '+1', /column 1: a value was expected, "\+" was found/],
    ['NaN', 'NaN', /a value was expected, "N" was found/],
    ['a point without decimals', '1.', /"\." follows the end/],
    ['a comment', '/* */1', /a value was expected, "\/" was found/],
    ['a raw line break in a string', '"a\nb"', /column 3: a control character in a string must be escaped/],
    ['an unknown escape', String.raw`"\x41"`, /column 2: a backslash in a string begins no valid escape/],
    ['a short unicode escape', String.raw`"\u12"`, /column 2: a backslash/],
    ['a byte order mark', '\uFEFF{}', /line 1, column 1: a value was expected/],
    ['a no-break space', '\u00A0{}', /line 1, column 1: a value was expected/],
    ['bytes that are no UTF-8', Buffer.from('{"a":\n"\xff"}', 'latin1'), /line 2, column 2: the bytes are not valid/],
    ['a truncated UTF-8 sequence', Buffer.from('"é').subarray(0, 2), /column 2: the bytes are not valid UTF-8/],
    ['a surrogate written as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /column 2: the bytes are not/],
  ];
  for (const [why, text, message] of refused) {
    it(`refuses ${why} and says where`, () => assert.match(refusal(text), message));
  }

  it('finds the bad byte behind genuine replacement characters', () => {
    const bytes = Buffer.concat([Buffer.from('"\uFFFDé\uFFFD'), Buffer.from([0xff, 0x22])]);
    assert.match(refusal(bytes), /column 5: the bytes are not valid UTF-8/);
  });

  it('quotes at most 40 characters of what was sent', () => {
    const name = 'n'.repeat(100_000);
    assert.ok(refusal(`{"${name}":1,"${name}":2}`).length < 200);
  });

  const hostile: readonly (readonly [what: string, text: string, accepted: boolean])[] = [
    ['a million opening brackets', '['.repeat(1_000_000), false],
    ['a million opening objects', '{"a":'.repeat(400_000), false],
    ['150,000 members', `{${Array.from({ length: 150_000 }, (_, i) => `"${i}":0`).join()}}`, true],
    ['300,000 escapes', `"${String.raw`\u0041`.repeat(300_000)}"`, true],
    ['a number of two million digits', `0.${'3'.repeat(2_000_000)}`, true],
    ['half a million empty objects', `[${'{},'.repeat(500_000)}0]`, true],
  ];
  for (const [what, text, accepted] of hostile) {
    it(`answers ${what} without overflow`, () => {
      if (accepted) assert.ok(read(text));
      else assert.match(refusal(text), /deeper than 64 levels/);
    });
  }

  it('agrees with JSON.parse on every generated text and its value', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 5 }), agreesWithReference));
  });

  it('agrees with JSON.parse on generated texts with a character changed, added or lost', () => {
    const characters = fc.constantFrom(...'{}[]",:\\u0123456789abcdefntrEe+-./ \n\t\u0000\u2028é'.split(''), '');
    const mutated = fc
      .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat({ max: 1 }), characters)
      .map(([text, at, lost, added]) => {
        const cutAt = at % (text.length + 1);
        return text.slice(0, cutAt) + added + text.slice(cutAt + lost);
      });
    fc.assert(fc.property(mutated, agreesWithReference), { numRuns: 2000 });
  });

  it('agrees with JSON.parse on random strings of JSON tokens', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '0',
      '-1.5e3',
      '01',
      'true',
      'nul',
      ' ',
      '\n',
    );
    const texts = fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join(''));
    fc.assert(fc.property(texts, agreesWithReference), { numRuns: 2000 });
  });
});

function read(text: string | Uint8Array): JsonValue {
  return readJson(Buffer.from(text));
}

function names(text: string): string[] {
  const value = read(text);
  assert.ok(value instanceof JsonObject);
  return [...value.members.keys()];
}

function refusal(text: string | Uint8Array): string {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof JsonFault);
    return error.message;
  }
  throw new assert.AssertionError({ message: 'the text was read' });
}

/** JSON.parse decides, but for the two rules that it does not know: depth and duplicate names. */
function agreesWithReference(text: string): void {
  let expected: unknown;
  try {
    expected = JSON.parse(text);
  } catch {
    refusal(text);
    return;
  }
  try {
    const value = plain(read(text));
    if (!isDeepStrictEqual(value, expected)) assert.deepEqual(value, parseAfresh(text));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    assert.match(error.message, /appears twice|deeper than/);
  }
}

/** After `{"x":1,"a\\\\":1}` V8 13.6 reads the name `"a\\r"` as the one it has seen before; a new context has seen none. */
function parseAfresh(text: string): unknown {
  return structuredClone(runInNewContext('JSON.parse(text)', { text }));
}

/** The same tree as JSON.parse builds. */
function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof JsonObject)) return value;
  const members: object = {};
  for (const [name, member] of value.members) {
    Object.defineProperty(members, name, {
      value: plain(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return members;
}
