import fc from 'fast-check';
import assert from 'node:assert/strict';
import test from 'node:test';
import { JsonFault, readOrderedJson, type JsonValue } from './ordered-json.ts';

test('text without a doubled name is read exactly where JSON.parse takes it, and to the same value', () => {
  const broken = fc
    .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(3), fc.constantFrom('', ',', '}', ']', '"', '0', '-', '\\', '\n'))
    .map(([json, seed, cut, put]) => {
      const at = seed % (json.length + 1);
      return json.slice(0, at) + put + json.slice(at + cut);
    });
  fc.assert(
    fc.property(broken, (text) => {
      const read = outcomeOf(() => toPlain(readOrderedJson(text)));
      fc.pre(!(read instanceof JsonFault && read.message.endsWith('is there twice')));
      const parsed = outcomeOf(() => JSON.parse(text));
      if (parsed instanceof SyntaxError) assert.ok(read instanceof JsonFault, text);
      else assert.deepEqual(read, parsed);
    }),
    { numRuns: 2000 },
  );
});

test('members keep their order and spelling, whatever their names', () => {
  const text = '{ "10": "ten", "9": "nine", "__proto__": {"b": 1}, "": null, "\\u00e9": [] }';
  const object = readOrderedJson(text);
  assert.ok(object instanceof Map);
  assert.deepEqual([...object.keys()], ['10', '9', '__proto__', '', 'é']);
  assert.deepEqual(object.get('__proto__'), new Map([['b', 1]]));
});

test('a fault is told with its offset', () => {
  assert.throws(() => readOrderedJson('{"a":1,\n"a":2}'), { offset: 8, message: '"a" is there twice' });
});

test('a long string does not exhaust the reader', () => {
  assert.equal(readOrderedJson(`"${'a\\n'.repeat(200_000)}"`), 'a\n'.repeat(200_000));
});

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

function toPlain(value: JsonValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)]));
  return Array.isArray(value) ? value.map((item: JsonValue) => toPlain(item)) : value;
}
