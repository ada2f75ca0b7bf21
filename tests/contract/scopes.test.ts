import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SCOPES as GRANTED } from '@pfq/gateway/domain/scopes';
import { SCOPES as OFFERED } from '@pfq/operator/words';

it('offers in pfq exactly the scopes that the gateway grants', () => {
  assert.deepEqual(OFFERED, GRANTED);
});
