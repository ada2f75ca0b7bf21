import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INTEREST } from '../store.test-support.ts';
import { requireUnexpired, statusOf } from './quote.ts';

const expiresAt = new Date('2026-12-20T10:00:00.000Z');
const LAST_MOMENT = new Date('2026-12-20T09:59:59.999Z');
const YEARS_LATER = new Date('2036-12-20T10:00:00.000Z');

test('a quote without a response is active until the moment it expires, and expired from then on', () => {
  assert.equal(statusOf({ expiresAt, readAt: LAST_MOMENT, interest: null }), 'active');
  assert.equal(statusOf({ expiresAt, readAt: expiresAt, interest: null }), 'expired');
  assert.equal(statusOf({ expiresAt, readAt: YEARS_LATER, interest: null }), 'expired');
});

test('a quote with a response is interested whatever the time', () => {
  for (const readAt of [LAST_MOMENT, expiresAt, YEARS_LATER]) {
    assert.equal(statusOf({ expiresAt, readAt, interest: INTEREST }), 'interested');
  }
});

test('a change is refused from the moment of expiry, in words that tell it', () => {
  requireUnexpired({ expiresAt, readAt: LAST_MOMENT });
  for (const readAt of [expiresAt, YEARS_LATER]) {
    assert.throws(() => requireUnexpired({ expiresAt, readAt }), {
      code: 'QUOTE_EXPIRED',
      message: 'This quote expired at 2026-12-20T10:00:00.000Z. Create a new quote.',
    });
  }
});
