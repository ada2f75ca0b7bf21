import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actorOf, operatorHeaders } from './operator-credential.ts';

const named: readonly (readonly [given: string, actor: string])[] = [
  ['ana', 'ana'],
  ['Zoë Ødegård', 'Zoë Ødegård'],
  ['two\nlines\0', 'two lines'],
  ['x'.repeat(3_000), 'x'.repeat(200)],
  ['', 'operator'],
];
for (const [given, actor] of named) {
  test(`the audit log names ${JSON.stringify(given).slice(0, 40)} as ${JSON.stringify(actor).slice(0, 40)}`, () => {
    assert.equal(actorOf(operatorHeaders({ token: 't', actor: given })), actor);
  });
}

test('an actor that is not percent-encoded is taken as it stands', () => {
  assert.equal(actorOf(new Headers({ 'pfq-actor': '100%' })), '100%');
});
