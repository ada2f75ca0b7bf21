import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { assertCannotChangeSchema, makeRoles, migrateFor } from '@pfq/kit/schema-roles.test-support';
import { DeclinedKind } from '@pfq/proto/pricing/v1/admin_pb';
import { DEFAULT_SETTINGS, formatSettings } from './domain/settings-text.ts';
import { A_MINUS_CARRIER, flatSheet, PRICED_AT, workedExample } from './examples.test-support.ts';
import { AS_OPERATOR, readAudit, startPricing } from './running-pricing.test-support.ts';

test('pricing does all its work under a role that cannot change its schema', async (t) => {
  const made = await makeRoles(t);
  await migrateFor(t, path.join(import.meta.dirname, 'migrate.ts'), made);
  const service = await startPricing(made.serviceUrl, { migrateOnStart: false });
  t.after(() => service.stop());
  const { pricing, admin } = service;
  const json = formatSettings({ ...DEFAULT_SETTINGS, rateSheetMaxAgeDays: null });
  await admin.loadCarriers({ carriers: [A_MINUS_CARRIER] }, AS_OPERATOR);
  await admin.loadRateSheet({ json: flatSheet('0.0400') }, AS_OPERATOR);
  await admin.setSettings({ json }, AS_OPERATOR);
  await admin.changeDeclined({ kind: DeclinedKind.ISSUER, value: 'A company', declined: true }, AS_OPERATOR);
  const { priced } = await pricing.priceDeal({ deal: workedExample(), pricedAt: PRICED_AT });
  assert.equal(priced?.options.length, 30);
  assert.equal((await readAudit(made.serviceUrl)).length, 5);
  await assertCannotChangeSchema(made.openAsService(), ['rate_sheets', 'settings', 'current_versions', 'audit_log']);
});
