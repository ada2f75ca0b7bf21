import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import fc from 'fast-check';
import { setTime } from '../../../../tests/support/database.ts';
import {
  makeMigratedDatabase,
  NEW_INTEREST,
  newChange,
  newQuote,
  TENANT,
  WHOLE_AGENCY,
} from '../store.test-support.ts';
import { statusOf } from '../domain/quote.ts';
import { postgresQuoteStore } from './postgres.ts';

/** One call, or time passing, about the one quote of a run and a handful of changes. */
type Step = {
  readonly does: 'create' | 'void quote' | 'expire' | 'link' | 'respond' | 'tap first' | 'tap newest' | 'void change';
  readonly change: number;
};

/** What the steps so far should have come to, told in the simplest way. */
type Model = {
  quote: 'stored' | 'voided' | null;
  isExpired: boolean;
  /** The changes that were made or voided, in this order. */
  readonly fates: Map<number, 'link' | 'respond' | 'voided'>;
};

/** What kind of change a step makes, where it makes one. A tap is a response through the first link or the newest one. */
const KINDS: Partial<Record<Step['does'], 'link' | 'respond'>> = {
  link: 'link',
  respond: 'respond',
  'tap first': 'respond',
  'tap newest': 'respond',
};

/** Takes a step and tells what it should be answered. */
function answerOf(model: Model, { does, change }: Step): string {
  const { fates } = model;
  const fate = fates.get(change);
  if (does === 'expire') model.isExpired = true;
  else if (does === 'void quote') model.quote ??= 'voided';
  else if (does === 'create') model.quote ??= 'stored';
  if (does === 'create' && model.quote === 'voided') return 'IDEMPOTENCY_RECORD_LOST';
  if (does === 'void change' && fate === undefined) fates.set(change, 'voided');
  const kind = KINDS[does];
  if (kind === undefined) return 'done';

  if (model.quote !== 'stored') return 'NOT_FOUND';
  if (fate === 'voided') return 'IDEMPOTENCY_RECORD_LOST';
  if (fate !== undefined) return fate === kind ? 'done' : 'Error';
  if (does === 'tap first' && currentLinkIn(model) !== undefined) return 'replaced';
  if (kind === 'respond' && [...fates.values()].includes('respond')) return 'QUOTE_ALREADY_INTERESTED';
  if (model.isExpired) return 'QUOTE_EXPIRED';
  fates.set(change, kind);
  return 'done';
}

function statusIn({ quote, fates, isExpired }: Model): string | null {
  if (quote !== 'stored') return null;
  if ([...fates.values()].includes('respond')) return 'interested';
  return isExpired ? 'expired' : 'active';
}

/** The change that the current link came with; undefined for the quote's first one, and where there is no quote. */
function currentLinkIn({ fates }: Model): number | undefined {
  return [...fates].findLast(([, fate]) => fate === 'link')?.[0];
}

const steps = fc.array(
  fc.record({
    does: fc.constantFrom<Step['does'][]>(
      'create',
      'create',
      'void quote',
      'expire',
      'link',
      'link',
      'respond',
      'tap first',
      'tap newest',
      'void change',
    ),
    change: fc.nat(3),
  }),
  { minLength: 1, maxLength: 15 },
);

test('whatever is called in whatever order, quote, response and link end up as the rules say', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [database, store] = [made.open(), postgresQuoteStore(made.open())];
  const CURRENT = 'SELECT token_hash FROM hosted_links WHERE quote_id = $1 AND replaced_at IS NULL';

  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await setTime(database, '2026-12-01T12:00:00Z');
      const quote = newQuote();
      const changes = Array.from({ length: 4 }, () => newChange(quote.id));
      const changeOf = (change: number) => changes[change] ?? assert.fail('there is no such change');
      const hashOf = (change: number) => createHash('sha256').update(changeOf(change).id).digest();
      const model: Model = { quote: null, isExpired: false, fates: new Map() };
      const newestHash = () => {
        const link = currentLinkIn(model);
        return link === undefined ? quote.hostedLinkHash : hashOf(link);
      };
      const tap = async (change: number, hash: Uint8Array) => {
        const response = { changeId: changeOf(change).id, interest: NEW_INTEREST };
        return (await store.expressInterestByLink(hash, response))?.link ?? 'NOT_FOUND';
      };
      const calls: Record<Step['does'], (change: number) => Promise<unknown>> = {
        create: () => store.create(TENANT, quote),
        'void quote': () => store.voidQuote(TENANT, quote.id),
        expire: () => setTime(database, quote.expiresAt.toISOString()),
        link: (change) => store.replaceHostedLink(changeOf(change), hashOf(change)),
        respond: (change) => store.expressInterest(changeOf(change), NEW_INTEREST),
        'tap first': (change) => tap(change, quote.hostedLinkHash),
        'tap newest': (change) => tap(change, newestHash()),
        'void change': (change) => store.voidChange(TENANT, changeOf(change)),
      };
      for (const step of sequence) {
        const answer = await calls[step.does](step.change).then(toAnswer, nameOf);
        assert.equal(answer, answerOf(model, step), step.does);
      }
      const found = await store.find(quote.id, WHOLE_AGENCY);
      assert.equal(found && statusOf(found), statusIn(model));
      const links = await database.read<{ token_hash: Buffer }>(CURRENT, [quote.id]);
      assert.deepEqual(links, model.quote === 'stored' ? [{ token_hash: newestHash() }] : []);
    }),
    { numRuns: 300 },
  );
});

function toAnswer(answered: unknown): string {
  return answered === 'replaced' || answered === 'NOT_FOUND' ? answered : 'done';
}

function nameOf(error: unknown): string {
  return error instanceof ServiceError ? error.code : error instanceof Error ? error.name : String(error);
}
