import type { Tenant } from '@pfq/kit/caller';
import { OutcomeUnknownError, ServiceError } from '@pfq/kit/errors';
import type { Database } from '@pfq/kit/postgres';
import type { NewQuote, Quote, QuoteOrigin } from '../domain/quote.ts';
import { QUOTE_COLUMNS, QUOTES_AS_THEY_STAND, toQuote } from './quote-rows.ts';
import type { QuoteRow } from './quote-rows.ts';
import type { Visibility } from './store.ts';

type OriginRow = QuoteRow & { agency_id: string; broker_id: string; deal: Buffer; priced_under: Buffer };

/**
 * Quote and link in one statement, both by primary key. Says whether they were inserted, now or before, whether the id was
 * voided or else holds another quote, and gives nothing where another statement is taking the id at this very moment. A
 * quote without parties was perhaps stored by the release before, which drops them, when it was sent the first time.
 */
const CREATE = `
  WITH created AS (
    INSERT INTO quotes (agency_id, mode, id, broker_id, created_at, expires_at, api_version, request_members, priced_members, deal, priced_under,
      insured_name, agency_name, broker_name, broker_email)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13, $14, $15, $16)
    ON CONFLICT (agency_id, mode, id) DO NOTHING
    RETURNING agency_id, mode, id, created_at
  ), linked AS (
    INSERT INTO hosted_links (token_hash, agency_id, mode, quote_id, issued_at)
    SELECT $12::bytea, agency_id, mode, id, created_at FROM created
  )
  SELECT true AS is_same, false AS is_voided FROM created
  UNION ALL
  SELECT (q.broker_id, q.created_at, q.expires_at, q.api_version, q.request_members, q.priced_members, q.deal, q.priced_under)
      = ($4, $5, $6, $7, $8, $9, $10, $11)
    AND (q.broker_email IS NULL
      OR (q.insured_name, q.agency_name, q.broker_name, q.broker_email) IS NOT DISTINCT FROM ($13, $14, $15, $16))
    AND EXISTS (
      SELECT FROM hosted_links l
      WHERE l.token_hash = $12 AND l.agency_id = $1 AND l.mode = $2 AND l.quote_id = $3
    ), q.voided_at IS NOT NULL
  FROM quotes q WHERE q.agency_id = $1 AND q.mode = $2 AND q.id = $3`;

export async function createQuote(database: Database, { agencyId, mode }: Tenant, quote: NewQuote): Promise<void> {
  const { id, brokerId, createdAt, expiresAt, apiVersion, requestMembers, pricedMembers, deal, pricedUnder } = quote;
  const inputs = [apiVersion, requestMembers, pricedMembers, deal, pricedUnder, quote.hostedLinkHash];
  const values = [agencyId, mode, id, brokerId, createdAt, expiresAt, ...inputs, ...partyColumns(quote.parties)];
  const [row] = await database.write<{ is_same: boolean; is_voided: boolean }>(CREATE, values);
  if (!row) throw new OutcomeUnknownError(new Error(`quote ${id} is being stored or voided by another call`));
  if (row.is_voided) {
    const message =
      'This quote was given up before it was stored, and never will be. Create it again under a new idempotency key.';
    throw new ServiceError('IDEMPOTENCY_RECORD_LOST', { message });
  }
  if (!row.is_same) throw new Error(`quote ${id} is stored already with other content`);
}

function partyColumns(parties: NewQuote['parties']): readonly (string | null)[] {
  if (!parties) return [null, null, null, null];
  return [parties.insuredName, parties.agencyName, parties.brokerName, parties.brokerEmail];
}

/** By primary key: waits for whoever is inserting the same id, and yields to it. */
const VOID = `
  INSERT INTO quotes (agency_id, mode, id, voided_at) VALUES ($1, $2, $3, pfq_now())
  ON CONFLICT (agency_id, mode, id) DO NOTHING`;

export async function voidQuote(database: Database, { agencyId, mode }: Tenant, quoteId: string): Promise<void> {
  await database.write(VOID, [agencyId, mode, quoteId]);
}

/** By primary key; the broker is a filter on the one row. */
const FIND = `
  SELECT ${QUOTE_COLUMNS} FROM ${QUOTES_AS_THEY_STAND}
  WHERE q.agency_id = $1 AND q.mode = $2 AND q.id = $3 AND q.voided_at IS NULL AND ($4::text IS NULL OR q.broker_id = $4)`;

export async function findQuote(database: Database, quoteId: string, visibility: Visibility): Promise<Quote | null> {
  const { tenant, brokerId } = visibility;
  const [row] = await database.read<QuoteRow>(FIND, [tenant.agencyId, tenant.mode, quoteId, brokerId ?? null]);
  return row ? toQuote(row) : null;
}

/** By quotes_by_id. */
const LOOK_UP = `
  SELECT ${QUOTE_COLUMNS}, q.agency_id, q.broker_id, q.deal, q.priced_under FROM ${QUOTES_AS_THEY_STAND}
  WHERE q.id = $1 AND q.voided_at IS NULL`;

export async function lookUpQuote(database: Database, quoteId: string): Promise<QuoteOrigin | null> {
  const [row] = await database.read<OriginRow>(LOOK_UP, [quoteId]);
  if (!row) return null;
  return {
    quote: toQuote(row),
    agencyId: row.agency_id,
    brokerId: row.broker_id,
    deal: row.deal,
    pricedUnder: row.priced_under,
  };
}
