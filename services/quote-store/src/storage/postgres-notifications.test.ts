import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import {
  LIVE_TENANT,
  makeLiveDatabase,
  NEW_INTEREST,
  newChange,
  newQuote,
  newTelling,
  readEverything,
  TENANT,
} from '../store.test-support.ts';
import { postgresQuoteStore } from './postgres.ts';
import type { NotificationOutcome, Visibility } from './store.ts';

const LIVE: Visibility = { tenant: LIVE_TENANT, brokerId: undefined };
const AT = new Date('2026-12-01T12:00:00.123Z');
const RESET = `
  UPDATE interests SET notification_revision = 0, notification_status = 'pending', notification_reason = NULL
  WHERE agency_id = $1 AND mode = $2 AND quote_id = $3`;

type Told = { readonly revision: number; readonly at: Date } & (
  | { readonly status: 'pending' | 'sent'; readonly reason: null }
  | { readonly status: 'failed'; readonly reason: string }
);

async function openWithInterest(t: TestContext) {
  const database = (await makeLiveDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  const telling = newTelling();
  await store.create(LIVE_TENANT, quote);
  await store.expressInterest(newChange(quote.id, LIVE), { ...NEW_INTEREST, telling });
  const ids = { quoteId: quote.id, eventId: telling.eventId };
  return {
    database,
    store,
    ids,
    record: (told: Told) => store.recordNotification(LIVE_TENANT, { ...ids, ...told }),
    read: async () => (await store.find(quote.id, LIVE))?.interest?.notification,
    reset: () => database.write(RESET, [LIVE_TENANT.agencyId, LIVE_TENANT.mode, quote.id]),
  };
}

test('what became of the notification is read with the quote, and goes to the broker all along', async (t) => {
  const { record, read } = await openWithInterest(t);
  const recipient = 'avery.stone@agency.example';
  const first = await read();
  assert.deepEqual(first, { status: 'pending', reason: null, recipient, at: first?.at });
  for (const told of [
    { status: 'failed', reason: 'mailbox_unavailable', revision: 1, at: AT },
    { status: 'pending', reason: null, revision: 2, at: new Date(AT.getTime() + 1) },
    { status: 'sent', reason: null, revision: 3, at: new Date(AT.getTime() + 2) },
  ] as const) {
    assert.equal(await record(told), true);
    const { revision: _, ...expected } = told;
    assert.deepEqual(await read(), { ...expected, recipient });
  }
});

/** What a notification comes to: any number of failures and new attempts, and perhaps a mail that was sent in the end. */
const histories = fc
  .tuple(fc.array(fc.constantFrom('pending', 'failed'), { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([statuses, isSent]) => (isSent ? [...statuses, 'sent'] : statuses).map(toTold));
/** The same in whatever order it arrives, with parts that come twice. */
const arrivals = histories.chain((told) => {
  const shuffled = fc.shuffledSubarray(told, { minLength: told.length });
  return fc.tuple(shuffled, fc.subarray(told)).map(([all, again]) => ({ told, arriving: [...all, ...again] }));
});

function toTold(status: string, index: number): Told {
  const told = { revision: index + 1, at: new Date(AT.getTime() + index) };
  if (status === 'failed') return { ...told, status, reason: `reason_${index}` };
  return { ...told, status: status === 'sent' ? status : 'pending', reason: null };
}

test('in whatever order it is told, and however often, the newest is on record in the end', async (t) => {
  const { record, read, reset } = await openWithInterest(t);
  await fc.assert(
    fc.asyncProperty(arrivals, fc.boolean(), async ({ told, arriving }, atOnce) => {
      await reset();
      if (atOnce) await Promise.all(arriving.map(record));
      else for (const each of arriving) await record(each);
      const { status, reason, at } = told.at(-1) ?? assert.fail('nothing was told');
      assert.deepEqual(await read(), { status, reason, recipient: 'avery.stone@agency.example', at });
    }),
    { numRuns: 100 },
  );
});

test('a mail that was sent stays sent, whatever is told later', async (t) => {
  const { database, record } = await openWithInterest(t);
  await record({ revision: 2, status: 'sent', reason: null, at: AT });
  const stored = await readEverything(database);
  const later = new Date(AT.getTime() + 1);
  assert.equal(await record({ revision: 1, status: 'pending', reason: null, at: later }), true);
  assert.equal(await record({ revision: 2, status: 'failed', reason: 'mailbox_unavailable', at: later }), true);
  assert.equal(await record({ revision: 3, status: 'failed', reason: 'mailbox_unavailable', at: later }), true);
  assert.equal(await record({ revision: 4, status: 'sent', reason: null, at: later }), true);
  assert.deepEqual(await readEverything(database), stored);
});

test('nothing is recorded of another event, of a quote without a response, or of a test response', async (t) => {
  const { database, store, ids } = await openWithInterest(t);
  const [open, inTest] = [newQuote(), newQuote()];
  await store.create(LIVE_TENANT, open);
  await store.create(TENANT, inTest);
  await store.expressInterest(newChange(inTest.id), NEW_INTEREST);
  const stored = await readEverything(database);
  const told = { revision: 1, status: 'sent', reason: null, at: AT } as const;
  const { eventId } = newTelling();
  const strange: readonly (readonly [typeof LIVE_TENANT | typeof TENANT, NotificationOutcome])[] = [
    [LIVE_TENANT, { ...ids, ...told, eventId }],
    [LIVE_TENANT, { ...ids, ...told, quoteId: open.id }],
    [TENANT, { ...told, quoteId: inTest.id, eventId: NEW_INTEREST.telling.eventId }],
  ];
  for (const [tenant, outcome] of strange) assert.equal(await store.recordNotification(tenant, outcome), false);
  assert.deepEqual(await readEverything(database), stored);
});
