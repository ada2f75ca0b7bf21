import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actorOf, operatorHeaders } from './operator-credential.ts';

const named: readonly (readonly [given: string, actor: string])[] = [
  ['ana', 'ana'],
  ['Zoë Ødegård', 'Zoë Ødegård'],
  ['two\nlines\0', 'twolines'],
  ['', 'operator'],
];
for (const [given, actor] of named) {
  test(`the audit log names ${JSON.stringify(given)} as ${JSON.stringify(actor)}`, () => {
    assert.equal(actorOf(operatorHeaders({ token: 't', actor: given })), actor);
  });
}

test('an actor that is not percent-encoded is taken as it stands', () => {
  assert.equal(actorOf(new Headers({ 'pfq-actor': '100%' })), '100%');
});
