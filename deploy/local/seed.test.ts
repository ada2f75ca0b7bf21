import { startFakeServices, type FakeServices } from '@pfq/operator/testing/fake-services';
import { brokerStatusWord } from '@pfq/operator/words';
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Problem } from './problem.ts';
import { seedDemo } from './seed.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pfq-seed-'));
test.after(() => rmSync(folder, { recursive: true }));

function seed({ connection }: FakeServices) {
  const operator = {
    gateway_url: connection.gatewayUrl,
    pricing_url: connection.pricingUrl,
    application_url: connection.applicationUrl,
    notification_url: connection.notificationUrl,
    token: connection.token,
  };
  return seedDemo({ folder, operator });
}

test('an empty stack gets the demo agency once, and again only after its database has forgotten it', async (t) => {
  const fake = await startFakeServices();
  t.after(() => fake.stop());
  const { state } = fake;
  const demo = await seed(fake);

  const [agency] = state.agencies;
  assert.deepEqual([agency?.id, agency?.liveEnabled, agency?.testEnabled], [demo.agency_id, true, true]);
  assert.deepEqual(
    state.brokers.map(({ email, status }) => [email, brokerStatusWord(status)]),
    demo.brokers.map(({ email }) => [email, 'active']),
  );
  assert.deepEqual([state.brokers.length, state.keys.length, new Set(Object.values(demo.keys)).size], [2, 4, 4]);
  assert.ok(state.keys.every(({ scopes }) => scopes.length === 7));
  assert.equal(JSON.parse(state.settings.at(-1) ?? '').rate_sheet_max_age_days, null);
  assert.deepEqual(JSON.parse(state.rateSheets.at(-1) ?? '').rates, { 1: 0.04, 12: 0.04 });
  const ratings = new Set(state.carriers.map(({ rating }) => rating));
  assert.deepEqual([...ratings].join(' '), 'A++ A+ A A- B++ B+ B B- C++ C+ C C- D E F S NR ');
  const applications = [...state.applications.values()];
  assert.equal(applications.length, 200);
  assert.ok(applications.every(({ agencyId }) => agencyId === demo.agency_id));
  const owners = new Set(applications.map(({ application }) => application?.brokerEmail));
  assert.deepEqual(owners, new Set(demo.brokers.map(({ email }) => email)));
  assert.equal(statSync(path.join(folder, 'demo.json')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['demo.json']);

  state.calls.length = 0;
  assert.deepEqual(await seed(fake), demo);
  assert.deepEqual(state.calls, [{ method: 'ListAgencies', actor: 'npm start' }]);

  const emptied = await startFakeServices();
  t.after(() => emptied.stop());
  await seed(emptied);
  assert.equal(emptied.state.keys.length, 4);
});

test('a demo that has no applications yet gets them, as the same agency', async (t) => {
  const fake = await startFakeServices();
  t.after(() => fake.stop());
  const { state } = fake;
  state.findProblems = () => [{ code: 'INVALID_VALUE', message: 'The storage is away.' }];
  await assert.rejects(
    seed(fake),
    /^Problem: the demo agency cannot be made: pfq applications import: .*has bad lines/,
  );
  state.findProblems = () => [];
  const demo = await seed(fake);
  assert.deepEqual([state.agencies.length, state.applications.size], [1, 200]);

  const file = path.join(folder, 'demo.json');
  const { has_applications: _, ...firstRelease } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(firstRelease));
  state.applications.clear();
  assert.deepEqual(await seed(fake), demo);
  assert.equal(state.applications.size, 200);
});

test('where the demo cannot be made, one line names the command that failed and says why', async () => {
  const fake = await startFakeServices();
  await fake.stop();
  await assert.rejects(seed(fake), (error) => {
    assert.ok(error instanceof Problem);
    assert.match(
      error.message,
      /^the demo agency cannot be made: pfq agency list: the gateway cannot be reached[^\n]+$/,
    );
    return true;
  });
});
