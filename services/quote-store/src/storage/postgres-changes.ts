import type { Tenant } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import type { Database, Statements } from '@pfq/kit/postgres';
import type { Quote } from '../domain/quote.ts';
import { QUOTE_COLUMNS, QUOTES_AS_THEY_STAND, toQuote } from './quote-rows.ts';
import type { QuoteRow } from './quote-rows.ts';
import type { Change, ChangedQuote } from './store.ts';

/** What a kind of change does inside its transaction, with the quote as it stands under the lock. */
type ChangeWork = {
  /** Makes the change and gives the quote as it stands then; throws, and stores nothing, where it is refused. */
  readonly make: (quote: Quote, query: Statements['query']) => Promise<Quote>;
  /** Whether the change that was made before under this id is this one. */
  readonly wasMade: (quote: Quote, query: Statements['query']) => Promise<boolean>;
};

/** By primary key, in step with every other change of the quote; a reader is not held up. */
const LOCK = `
  SELECT q.id FROM quotes q
  WHERE q.agency_id = $1 AND q.mode = $2 AND q.id = $3 AND q.voided_at IS NULL AND ($4::text IS NULL OR q.broker_id = $4)
  FOR NO KEY UPDATE`;

/** By primary key: gives a row unless the change was made or voided before, and waits for whoever is voiding it. */
const RECORD = `
  INSERT INTO quote_changes (agency_id, mode, quote_id, id, fate, decided_at) VALUES ($1, $2, $3, $4, 'made', pfq_now())
  ON CONFLICT (agency_id, mode, quote_id, id) DO NOTHING
  RETURNING id`;

/** All by primary key. A statement of its own, because what others did while the lock was awaited only a later one sees. */
const FIND = `
  SELECT ${QUOTE_COLUMNS}, c.fate
  FROM ${QUOTES_AS_THEY_STAND}
  JOIN quote_changes c ON (c.agency_id, c.mode, c.quote_id) = (q.agency_id, q.mode, q.id)
  WHERE q.agency_id = $1 AND q.mode = $2 AND q.id = $3 AND c.id = $4`;

/** Makes a change of a quote once and for all, however often it is asked for. */
export async function makeChange(
  database: Database,
  change: Change,
  { make, wasMade }: ChangeWork,
): Promise<ChangedQuote> {
  const { id, quoteId, visibility } = change;
  const { tenant, brokerId } = visibility;
  const key = [tenant.agencyId, tenant.mode, quoteId];
  return database.transaction(async ({ query }) => {
    const [locked] = await query(LOCK, [...key, brokerId ?? null]);
    if (!locked) throw new ServiceError('NOT_FOUND', { message: 'There is no such quote.' });
    const [isNew] = await query(RECORD, [...key, id]);
    const [row] = await query<QuoteRow & { fate: 'made' | 'voided' }>(FIND, [...key, id]);
    if (!row) throw new Error(`change ${id} was recorded and cannot be found`);
    const quote = toQuote(row);
    if (isNew) return { quote: await make(quote, query), isMadeNow: true };
    if (row.fate === 'voided') throw lost();
    if (!(await wasMade(quote, query))) throw new Error(`change ${id} was made already with other content`);
    return { quote, isMadeNow: false };
  });
}

function lost(): ServiceError {
  const message =
    'This change was given up before it was made, and never will be. Ask for it again under a new idempotency key.';
  return new ServiceError('IDEMPOTENCY_RECORD_LOST', { message });
}

/** By primary key: waits for whoever is making the change, and yields to it. */
const VOID = `
  INSERT INTO quote_changes (agency_id, mode, quote_id, id, fate, decided_at) VALUES ($1, $2, $3, $4, 'voided', pfq_now())
  ON CONFLICT (agency_id, mode, quote_id, id) DO NOTHING`;

export async function voidChange(
  database: Database,
  { agencyId, mode }: Tenant,
  { quoteId, id }: Pick<Change, 'quoteId' | 'id'>,
): Promise<void> {
  await database.write(VOID, [agencyId, mode, quoteId, id]);
}
