import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readJson } from '../requests/json.ts';
import { writeJson } from '../requests/json-writer.ts';
import { swapFields, swapParam, swapParameters } from './renamed-fields.ts';

const FIELDS = [
  { place: '', older: 'firm', newer: 'company' },
  { place: 'insured', older: 'a', newer: 'b' },
  { place: 'policies[].fees[]', older: 'x', newer: 'y' },
];

test('names swapped twice are as they were, whatever was sent', () => {
  const name = fc.constantFrom('firm', 'company', 'insured', 'a', 'b', 'policies', 'fees', 'x', 'y', '__proto__', '1');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 5 }, fc.integer(), fc.array(tie('tree')), fc.dictionary(name, tie('tree'))),
  }));
  fc.assert(
    fc.property(tree, (sent) => {
      const text = JSON.stringify(sent);
      assert.equal(writeJson(swapFields(FIELDS, swapFields(FIELDS, readJson(Buffer.from(text))))), text);
    }),
    { numRuns: 500 },
  );
});

const BODIES = [
  ['{"firm":{"a":1},"insured":{"a":1}}', '{"company":{"a":1},"insured":{"b":1}}'],
  ['{"company":1,"firm":2}', '{"firm":1,"company":2}'],
  ['{"policies":[{"fees":[{"x":1},{"y":2},3]},4]}', '{"policies":[{"fees":[{"y":1},{"x":2},3]},4]}'],
  ['{"policies":{"fees":[{"x":1}]}}', '{"policies":{"fees":[{"x":1}]}}'],
  ['{"x":1,"a":2,"metadata":{"firm":3}}', '{"x":1,"a":2,"metadata":{"firm":3}}'],
  ['[{"firm":1}]', '[{"firm":1}]'],
] as const;
for (const [sent, read] of BODIES) {
  test(`${sent} is read as ${read}`, () => {
    assert.equal(writeJson(swapFields(FIELDS, readJson(Buffer.from(sent)))), read);
  });
}

const PARAMS = [
  ['company', 'firm'],
  ['company.name', 'firm.name'],
  ['insured.b', 'insured.a'],
  ['policies[12].fees[0].y', 'policies[12].fees[0].x'],
  ['policies[12].fees[0].y.z', 'policies[12].fees[0].x.z'],
  ['policies[0].y', 'policies[0].y'],
  ['policies[0].fees.y', 'policies[0].fees.y'],
  ['metadata["company"]', 'metadata["company"]'],
  ['["odd.company"]', '["odd.company"]'],
  ['companys', 'companys'],
] as const;
for (const [newer, older] of PARAMS) {
  test(`${newer} is told as ${older}`, () => {
    assert.equal(swapParam(FIELDS, newer), older);
  });
}

for (const [sent, read] of [
  ['firm=1&b=2', 'company=1&b=2'],
  ['a=firm&firm', 'a=firm&company'],
  ['', ''],
  ['company=1', 'firm=1'],
] as const) {
  test(`?${sent} is read as ?${read}`, () => {
    assert.equal(swapParameters(FIELDS, sent), read);
  });
}
