import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { differencesOf, isAllowed, isSameHealth, readDocumented, tableOf } from './outage-table.ts';
import type { Documented } from './outage-table.ts';

const EVERYTHING = { hasKafka: true, hasMongo: true };

function rowNamed(name: string, ingredients = EVERYTHING): Documented {
  return readDocumented(ingredients).find((row) => row.name === name) ?? assert.fail(`there is no row ${name}`);
}

describe('what is documented to happen while something is away', () => {
  it('is a row for every part that can be away, and says of each what callers get', () => {
    const names = readDocumented(EVERYTHING).map(({ name }) => name);
    const databases = ['PostgreSQL, killed', 'PostgreSQL, frozen', 'MongoDB'];
    const services = ['pricing', 'quote-store', 'application', 'notification', 'hosted-page', 'gateway'];
    assert.deepEqual(names, [...databases, 'Kafka', 'mail server', 'collector', ...services]);
    assert.deepEqual(rowNamed('gateway').calls.create, { outcome: 'no connection', seconds: 5 });
    assert.deepEqual(rowNamed('MongoDB').health, {
      notReady: ['application'],
      away: { application: ['gateway'], mongodb: ['application'] },
    });
    assert.deepEqual(rowNamed('gateway').health, { notReady: ['gateway'], away: {} });
  });

  it('is the fate of applications too where they are in PostgreSQL', () => {
    const { health } = rowNamed('PostgreSQL, killed', { ...EVERYTHING, hasMongo: false });
    assert.ok(health.notReady.includes('application'));
    assert.ok(health.away['postgresql']?.includes('application'));
    assert.deepEqual(health.away['application'], ['gateway']);
  });

  it('is seen by quote-store where there is no Kafka between it and notification', () => {
    assert.deepEqual(rowNamed('notification').health.away, {});
    const { health } = rowNamed('notification', { ...EVERYTHING, hasKafka: false });
    assert.deepEqual(health.away, { notification: ['quote-store'] });
    const { away } = rowNamed('PostgreSQL, killed', { ...EVERYTHING, hasKafka: false }).health;
    assert.deepEqual(away['notification'], ['quote-store']);
  });
});

describe('what happens', () => {
  const documented = rowNamed('pricing');
  const observed = { ...documented, problems: [] };
  const { create } = documented.calls;

  it('is as documented where callers, services and time are', () => {
    assert.deepEqual(differencesOf(documented, observed), []);
    assert.ok(isSameHealth(documented.health, { notReady: ['pricing'], away: { pricing: ['gateway'], kafka: [] } }));
  });

  const cases = {
    'another answer': { calls: { ...documented.calls, create: { ...create, outcome: '500' } } },
    'a late answer': { calls: { ...documented.calls, create: { ...create, seconds: create.seconds + 1 } } },
    'another service that is not ready': { health: { ...documented.health, notReady: ['gateway' as const] } },
    'a dependency that nobody misses': { health: { ...documented.health, away: {} } },
    'a late recovery': { backSeconds: documented.backSeconds + 1 },
    'a late mail': { mailedSeconds: documented.mailedSeconds + 1 },
    'a problem on the way': { problems: ['a tap before it gets 500'] },
  };
  for (const [what, change] of Object.entries(cases)) {
    it(`is different by ${what}, which is told in one line`, () => {
      const [line = '', ...more] = differencesOf(documented, { ...observed, ...change });
      assert.match(line, /^pricing: /);
      assert.deepEqual(more, []);
    });
  }

  it('may be as ever at first, or as documented, and nothing else', () => {
    const outcomes = ['201', '503', '500', 'no connection'].filter((outcome) =>
      isAllowed('create', outcome, documented),
    );
    assert.deepEqual(outcomes, ['201', '503']);
  });

  it('is told as it stands in the documentation, with what was measured', () => {
    const [head = '', ruler, row] = tableOf([documented]).split('\n');
    assert.match(head, /^\| Away \| `POST \/v1\/quotes` \|/);
    assert.match(ruler ?? '', /^(?:\| --- )+\|$/);
    assert.equal(
      row,
      '| pricing | 503, 5.0 s | 200, 5.0 s | 200, 5.0 s | 200, 5.0 s | 303, 5.0 s | pricing | `pricing` at gateway | 20.0 s | 10.0 s |',
    );
  });
});
