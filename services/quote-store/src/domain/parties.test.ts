import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARTIES } from '../store.test-support.ts';
import { FIRST_API_VERSION as apiVersion } from './api-version.ts';
import { partiesOf } from './parties.ts';

test('the parties of a quote are those it was stored with, whatever its members say', () => {
  const requestMembers = Buffer.from('"broker":{"email":"other@agency.example"}');
  assert.deepEqual(partiesOf({ parties: PARTIES, apiVersion, requestMembers }), PARTIES);
});

test('a quote that was stored without names knows its broker by the address that it shows, and nobody else', () => {
  const requestMembers = Buffer.from('"client_reference_id":null,"broker":{"email":"é@agency.example"}');
  assert.deepEqual(partiesOf({ parties: null, apiVersion, requestMembers }), {
    insuredName: null,
    agencyName: null,
    brokerName: null,
    brokerEmail: 'é@agency.example',
  });
});

test('members that were broken behind the back of the store are a fault, not a quote of nobody', () => {
  for (const broken of ['', '"broker":null', '"broker":{"email"']) {
    assert.throws(() => partiesOf({ parties: null, apiVersion, requestMembers: Buffer.from(broken) }), broken);
  }
});

test('a quote in a version of the API that is not known here has those it was stored with, and else none are read', () => {
  const quote = { apiVersion: '2027-01-01', requestMembers: Buffer.from('"broker":{"email":"shown@agency.example"}') };
  assert.deepEqual(partiesOf({ ...quote, parties: PARTIES }), PARTIES);
  assert.throws(
    () => partiesOf({ ...quote, parties: null }),
    /API version that this release does not know: 2027-01-01/,
  );
});
