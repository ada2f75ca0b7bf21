import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessWith } from '../running-gateway.test-support.ts';
import { defaultBrokerOf, requireEnabledMode, requireScope, requireUsableKey, visibleBrokerId } from './access.ts';

const INACTIVE = { id: 'brk_ana', email: 'ana@agency.example', name: 'Ana Ruiz', status: 'inactive' } as const;

test('a key works through the last moment of its expiry date in UTC, and not a moment longer', () => {
  const lastMoment = accessWith({ expiresOn: '2026-11-20', now: new Date('2026-11-20T23:59:59.999Z') });
  assert.doesNotThrow(() => requireUsableKey(lastMoment));
  const after = accessWith({ expiresOn: '2026-11-20', now: new Date('2026-11-21T00:00:00.000Z') });
  assert.throws(() => requireUsableKey(after), { code: 'KEY_EXPIRED' });
});

test('of a key that is both revoked and expired it is told that it was revoked', () => {
  assert.throws(() => requireUsableKey(accessWith({ revoked: true, expiresOn: '2000-01-01' })), {
    code: 'KEY_REVOKED',
  });
});

test('a mode that is switched off is refused under its own code', () => {
  const off = (mode: 'live' | 'test') => () => requireEnabledMode(accessWith({ mode, enabled: false }));
  assert.throws(off('live'), { code: 'API_ACCESS_NOT_ENABLED' });
  assert.throws(off('test'), { code: 'TEST_MODE_NOT_ENABLED' });
  assert.doesNotThrow(() => requireEnabledMode(accessWith()));
});

test('the refusal of a missing scope names it', () => {
  const access = accessWith({ scopes: ['quotes:read'] });
  assert.doesNotThrow(() => requireScope(access, 'quotes:read'));
  assert.throws(() => requireScope(access, 'quotes:write'), { code: 'MISSING_SCOPE', message: /quotes:write/ });
});

test('a broker key sees its own broker, an agency key the whole agency', () => {
  assert.equal(visibleBrokerId(accessWith({ type: 'broker' })), 'brk_ana');
  assert.equal(visibleBrokerId(accessWith({ type: 'agency' })), undefined);
});

for (const type of ['agency', 'broker'] as const) {
  for (const status of ['inactive', 'invited'] as const) {
    test(`nothing is read with a ${type} key whose default broker is ${status}`, () => {
      const access = accessWith({ type, defaultBroker: { ...INACTIVE, status } });
      assert.throws(() => defaultBrokerOf(access), { code: 'DEFAULT_BROKER_INACTIVE' });
      assert.throws(() => visibleBrokerId(access), { code: 'DEFAULT_BROKER_INACTIVE' });
    });
  }
}
