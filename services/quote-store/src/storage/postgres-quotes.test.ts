import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { OutcomeUnknownError } from '@pfq/kit/errors';
import fc from 'fast-check';
import { until } from '../../../../tests/support/until.ts';
import {
  areWaiting,
  insertQuote,
  makeMigratedDatabase,
  newQuote,
  PARTIES,
  SECONDS,
  TENANT,
  WHOLE_AGENCY,
} from '../store.test-support.ts';
import { postgresQuoteStore } from './postgres.ts';

const COUNT = 'SELECT (SELECT count(*)::int FROM quotes) AS quotes, (SELECT count(*)::int FROM hosted_links) AS links';

test('every byte of a quote comes back as it was stored', async (t) => {
  const store = postgresQuoteStore((await makeMigratedDatabase(t)).open());
  const bytes = fc.uint8Array({ maxLength: 2_000 });
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (requestMembers, pricedMembers) => {
      const quote = newQuote({ requestMembers, pricedMembers });
      await store.create(TENANT, quote);
      const found = await store.find(quote.id, WHOLE_AGENCY);
      assert.deepEqual(Buffer.from(found?.requestMembers ?? []), Buffer.from(requestMembers));
      assert.deepEqual(Buffer.from(found?.pricedMembers ?? []), Buffer.from(pricedMembers));
    }),
    { numRuns: 50 },
  );
});

const ANY_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

test('text that JSON libraries like to mend comes back unmended', async (t) => {
  const store = postgresQuoteStore((await makeMigratedDatabase(t)).open());
  const members =
    '"metadata":{"2":"b","1":"a","__proto__":"x","2":"again"},"n":1.10,"u":"\u2028\u{1F600}</script>\\u0000"';
  const quote = newQuote({ requestMembers: Buffer.from(members), deal: ANY_BYTES, pricedUnder: ANY_BYTES });
  await store.create(TENANT, quote);
  const origin = await store.lookUp(quote.id);
  assert.equal(Buffer.from(origin?.quote.requestMembers ?? []).toString(), members);
  assert.deepEqual([origin?.deal, origin?.pricedUnder], [ANY_BYTES, ANY_BYTES]);
  assert.deepEqual([origin?.agencyId, origin?.brokerId], ['agy_1', 'brk_1']);
  assert.deepEqual([origin?.quote.expiresAt, origin?.quote.apiVersion], [quote.expiresAt, '2026-09-23']);
});

test('a quote that is created again under its id is stored once, with one link', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  for (let time = 1; time <= 3; time += 1) await store.create(TENANT, quote);
  assert.deepEqual(await database.read(COUNT, []), [{ quotes: 1, links: 1 }]);
});

test('a quote created many times at once is stored once, and no call fails for certain', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  const calls = await Promise.allSettled(Array.from({ length: 20 }, () => store.create(TENANT, quote)));
  for (const call of calls) assert.ok(call.status === 'fulfilled' || call.reason instanceof OutcomeUnknownError);
  await store.create(TENANT, quote);
  assert.deepEqual(await database.read(COUNT, []), [{ quotes: 1, links: 1 }]);
});

test('a call that meets another one that is still creating the quote does not know the outcome', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [first, second] = [made.open(), made.open()];
  const quote = newQuote();
  let waiting: Promise<void> | undefined;
  await first.transaction(async ({ query }) => {
    await insertQuote(query, quote);
    waiting = assert.rejects(postgresQuoteStore(second).create(TENANT, quote), OutcomeUnknownError);
    await until(() => areWaiting(first, 1), SECONDS);
  });
  await waiting;
});

for (const [what, change] of Object.entries({
  broker: { brokerId: 'brk_2' },
  time: { createdAt: new Date(0) },
  expiry: { expiresAt: new Date(0) },
  'API version': { apiVersion: '2027-01-01' },
  'request members': { requestMembers: Buffer.from('"metadata":{"a":"b"}') },
  'priced members': { pricedMembers: Buffer.from('"options":[1]') },
  deal: { deal: Buffer.from('another deal') },
  versions: { pricedUnder: Buffer.from('other versions') },
  link: { hostedLinkHash: randomBytes(32) },
  insured: { parties: { ...PARTIES, insuredName: null } },
  agency: { parties: { ...PARTIES, agencyName: 'Another Agency' } },
  "broker's name": { parties: { ...PARTIES, brokerName: 'Another Broker' } },
  "broker's address": { parties: { ...PARTIES, brokerEmail: 'another@agency.example' } },
  'set of parties': { parties: null },
})) {
  test(`an id that holds a quote of another ${what} is never reported as stored`, async (t) => {
    const database = (await makeMigratedDatabase(t)).open();
    const store = postgresQuoteStore(database);
    const quote = newQuote();
    await store.create(TENANT, quote);
    await assert.rejects(store.create(TENANT, { ...quote, ...change }), /stored already with other content/);
    assert.deepEqual(await database.read(COUNT, []), [{ quotes: 1, links: 1 }]);
  });
}

const NAMELESS = { insuredName: null, agencyName: null, brokerName: null, brokerEmail: 'broker@agency.example' };
for (const [what, parties] of Object.entries({ PARTIES, NAMELESS, none: null })) {
  test(`the parties of a quote come back as they were told: ${what}`, async (t) => {
    const store = postgresQuoteStore((await makeMigratedDatabase(t)).open());
    const quote = newQuote({ parties });
    for (let time = 1; time <= 2; time += 1) await store.create(TENANT, quote);
    assert.deepEqual((await store.find(quote.id, WHOLE_AGENCY))?.parties, parties);
    assert.deepEqual((await store.lookUp(quote.id))?.quote.parties, parties);
  });
}

test('a link of another length than SHA-256 is refused, and its quote with it', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  await assert.rejects(store.create(TENANT, newQuote({ hostedLinkHash: randomBytes(16) })));
  assert.deepEqual(await database.read(COUNT, []), [{ quotes: 0, links: 0 }]);
});

test('while the database is away nothing is stored for certain, and afterwards the store goes on', async (t) => {
  const made = await makeMigratedDatabase(t);
  const database = made.open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  await made.refuseConnections();
  await assert.rejects(store.create(TENANT, quote), { code: 'SERVICE_UNAVAILABLE' });
  await assert.rejects(store.find(quote.id, WHOLE_AGENCY), { code: 'SERVICE_UNAVAILABLE' });
  await made.acceptConnections();
  assert.equal(await store.find(quote.id, WHOLE_AGENCY), null);
  await store.create(TENANT, quote);
  assert.deepEqual(await database.read(COUNT, []), [{ quotes: 1, links: 1 }]);
});
