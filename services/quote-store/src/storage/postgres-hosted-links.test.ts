import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Database } from '@pfq/kit/postgres';
import { setTime } from '../../../../tests/support/database.ts';
import {
  makeMigratedDatabase,
  NEW_INTEREST,
  newChange,
  newLinkHash,
  newQuote,
  readEverything,
  TENANT,
  WHOLE_AGENCY,
} from '../store.test-support.ts';
import { postgresQuoteStore } from './postgres.ts';

const CURRENT = 'SELECT token_hash FROM hosted_links WHERE quote_id = $1 AND replaced_at IS NULL';

/** Hashes of the links that lead to a quote now. */
async function currentLinks(database: Database, quoteId: string): Promise<Uint8Array[]> {
  const rows = await database.read<{ token_hash: Buffer }>(CURRENT, [quoteId]);
  return rows.map(({ token_hash: hash }) => hash);
}

async function openWithQuote(t: TestContext) {
  const made = await makeMigratedDatabase(t);
  const database = made.open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  await store.create(TENANT, quote);
  return { made, database, store, quote, change: newChange(quote.id), fresh: newLinkHash() };
}

test('a fresh link takes the place of the current one, which is kept as replaced', async (t) => {
  const { database, store, quote, change, fresh } = await openWithQuote(t);
  await setTime(database, '2026-12-01T12:00:00Z');
  await store.replaceHostedLink(change, fresh);
  const links = await database.read(
    'SELECT token_hash, issued_at, replaced_at, change_id FROM hosted_links ORDER BY issued_at',
    [],
  );
  const replacedAt = new Date('2026-12-01T12:00:00Z');
  assert.deepEqual(links, [
    { token_hash: quote.hostedLinkHash, issued_at: quote.createdAt, replaced_at: replacedAt, change_id: null },
    { token_hash: fresh, issued_at: replacedAt, replaced_at: null, change_id: change.id },
  ]);
});

test('a new link leaves everything else of the quote as it was', async (t) => {
  const { store, quote, change, fresh } = await openWithQuote(t);
  const before = await store.find(quote.id, WHOLE_AGENCY);
  const answered = await store.replaceHostedLink(change, fresh);
  const after = await store.find(quote.id, WHOLE_AGENCY);
  for (const { readAt: _, ...rest } of [answered, after ?? answered]) {
    assert.deepEqual({ ...rest, readAt: before?.readAt }, before);
  }
});

test('a link that is asked for again is issued once, and never takes its place back from a later one', async (t) => {
  const { database, store, quote, change, fresh } = await openWithQuote(t);
  for (let time = 1; time <= 2; time += 1) await store.replaceHostedLink(change, fresh);
  assert.deepEqual(await currentLinks(database, quote.id), [fresh]);
  const later = newLinkHash();
  await store.replaceHostedLink(newChange(quote.id), later);
  const stored = await readEverything(database);
  await store.replaceHostedLink(change, fresh);
  assert.deepEqual(await readEverything(database), stored);
  assert.deepEqual(await currentLinks(database, quote.id), [later]);
});

test('a link that was issued in time is still told as issued once the quote has expired', async (t) => {
  const { database, store, change, fresh } = await openWithQuote(t);
  await store.replaceHostedLink(change, fresh);
  await setTime(database, '2200-01-01T00:00:00Z');
  await store.replaceHostedLink(change, fresh);
});

test('creating a quote again after its link was replaced finds it stored, and revives no link', async (t) => {
  const { database, store, quote, change, fresh } = await openWithQuote(t);
  await store.replaceHostedLink(change, fresh);
  await store.create(TENANT, quote);
  assert.deepEqual(await currentLinks(database, quote.id), [fresh]);
});

test('twenty links asked for at once are all issued, and one is current', async (t) => {
  const { database, store, quote } = await openWithQuote(t);
  const hashes = Array.from({ length: 20 }, newLinkHash);
  await Promise.all(hashes.map((hash) => store.replaceHostedLink(newChange(quote.id), hash)));
  const [current, ...others] = await currentLinks(database, quote.id);
  assert.deepEqual(others, []);
  assert.ok(hashes.some((hash) => Buffer.from(hash).equals(current ?? new Uint8Array())));
  const ALL = 'SELECT count(*)::int AS issued, count(replaced_at)::int AS replaced FROM hosted_links';
  assert.deepEqual(await database.read(ALL, []), [{ issued: 21, replaced: 20 }]);
});

test('the same link asked for twenty times at once is issued once', async (t) => {
  const { database, store, quote, change, fresh } = await openWithQuote(t);
  await Promise.all(Array.from({ length: 20 }, () => store.replaceHostedLink(change, fresh)));
  assert.deepEqual(await currentLinks(database, quote.id), [fresh]);
  assert.deepEqual(await database.read('SELECT count(*)::int AS links FROM hosted_links', []), [{ links: 2 }]);
});

for (const isInterested of [false, true]) {
  test(`a quote ${isInterested ? 'with' : 'without'} a response gets a new link until it expires`, async (t) => {
    const { database, store, quote, fresh } = await openWithQuote(t);
    await setTime(database, '2126-12-20T10:00:00.122Z');
    if (isInterested) await store.expressInterest(newChange(quote.id), NEW_INTEREST);
    const { interest } = await store.replaceHostedLink(newChange(quote.id), fresh);
    assert.equal(interest !== null, isInterested);
    await setTime(database, '2126-12-20T10:00:00.123Z');
    const stored = await readEverything(database);
    await assert.rejects(store.replaceHostedLink(newChange(quote.id), newLinkHash()), { code: 'QUOTE_EXPIRED' });
    assert.deepEqual(await readEverything(database), stored);
  });
}

test('a change that stands for another link, or for a response, is never reported as made', async (t) => {
  const { database, store, quote, change, fresh } = await openWithQuote(t);
  await store.replaceHostedLink(change, fresh);
  const response = newChange(quote.id);
  await store.expressInterest(response, NEW_INTEREST);
  const stored = await readEverything(database);
  await assert.rejects(store.replaceHostedLink(change, newLinkHash()), /made already with other content/);
  for (const hash of [fresh, quote.hostedLinkHash, newLinkHash()]) {
    await assert.rejects(store.replaceHostedLink(response, hash), /made already with other content/);
  }
  assert.deepEqual(await readEverything(database), stored);
});

test('a link of another length than SHA-256, or one in use, is refused, and the current one stays', async (t) => {
  const { database, store, quote } = await openWithQuote(t);
  const other = newQuote();
  await store.create(TENANT, other);
  const stored = await readEverything(database);
  for (const hash of [randomBytes(16), new Uint8Array(), quote.hostedLinkHash, other.hostedLinkHash]) {
    await assert.rejects(store.replaceHostedLink(newChange(quote.id), hash));
  }
  assert.deepEqual(await readEverything(database), stored);
});

test('while the database is away no link is replaced for certain, and afterwards the store goes on', async (t) => {
  const { made, database, store, quote, change, fresh } = await openWithQuote(t);
  await made.refuseConnections();
  await assert.rejects(store.replaceHostedLink(change, fresh), { code: 'SERVICE_UNAVAILABLE' });
  await assert.rejects(store.voidChange(TENANT, change), { code: 'SERVICE_UNAVAILABLE' });
  await made.acceptConnections();
  assert.deepEqual(await currentLinks(database, quote.id), [Buffer.from(quote.hostedLinkHash)]);
  await store.replaceHostedLink(change, fresh);
  assert.deepEqual(await currentLinks(database, quote.id), [fresh]);
});
