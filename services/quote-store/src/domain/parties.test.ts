import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARTIES } from '../store.test-support.ts';
import { partiesOf } from './parties.ts';

test('the parties of a quote are those it was stored with, whatever its members say', () => {
  const requestMembers = Buffer.from('"broker":{"email":"other@agency.example"}');
  assert.deepEqual(partiesOf({ parties: PARTIES, requestMembers }), PARTIES);
});

test('a quote that was stored without names knows its broker by the address that it shows, and nobody else', () => {
  const requestMembers = Buffer.from('"client_reference_id":null,"broker":{"email":"é@agency.example"}');
  assert.deepEqual(partiesOf({ parties: null, requestMembers }), {
    insuredName: null,
    agencyName: null,
    brokerName: null,
    brokerEmail: 'é@agency.example',
  });
});

test('members that were broken behind the back of the store are a fault, not a quote of nobody', () => {
  for (const broken of ['', '"broker":null', '"broker":{"email"']) {
    assert.throws(() => partiesOf({ parties: null, requestMembers: Buffer.from(broken) }), broken);
  }
});
