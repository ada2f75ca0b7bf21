import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusOf } from './quote.ts';

const expiresAt = new Date('2026-12-20T10:00:00.000Z');

test('a quote is active until the moment it expires, and expired from then on', () => {
  assert.equal(statusOf({ expiresAt, readAt: new Date('2026-12-20T09:59:59.999Z') }), 'active');
  assert.equal(statusOf({ expiresAt, readAt: expiresAt }), 'expired');
  assert.equal(statusOf({ expiresAt, readAt: new Date('2027-12-20T10:00:00.000Z') }), 'expired');
});
