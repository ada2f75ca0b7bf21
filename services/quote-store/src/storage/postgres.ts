import type { Tenant } from '@pfq/kit/caller';
import { OutcomeUnknownError } from '@pfq/kit/errors';
import type { Database } from '@pfq/kit/postgres';
import type { NewQuote, Quote } from '../domain/quote.ts';
import type { QuoteStore } from './store.ts';

type QuoteRow = {
  id: string;
  mode: 'live' | 'test';
  expires_at: Date;
  request_members: Buffer;
  priced_members: Buffer;
  read_at: Date;
};
type OriginRow = QuoteRow & { agency_id: string; broker_id: string; deal: Buffer; priced_under: Buffer };

export function postgresQuoteStore(database: Database): QuoteStore {
  return {
    create: (tenant, quote) => create(database, tenant, quote),
    async find(quoteId, { tenant, brokerId }) {
      const [row] = await database.read<QuoteRow>(FIND, [tenant.agencyId, tenant.mode, quoteId, brokerId ?? null]);
      return row ? toQuote(row) : null;
    },
    async lookUp(quoteId) {
      const [row] = await database.read<OriginRow>(LOOK_UP, [quoteId]);
      if (!row) return null;
      return {
        quote: toQuote(row),
        agencyId: row.agency_id,
        brokerId: row.broker_id,
        deal: row.deal,
        pricedUnder: row.priced_under,
      };
    },
  };
}

/**
 * Quote and link in one statement, both by primary key. Gives true where they were inserted or had been before, false
 * where the id holds another quote, and nothing where another statement is inserting it at this very moment.
 */
const CREATE = `
  WITH created AS (
    INSERT INTO quotes (agency_id, mode, id, broker_id, created_at, expires_at, request_members, priced_members, deal, priced_under)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (agency_id, mode, id) DO NOTHING
    RETURNING agency_id, mode, id, created_at
  ), linked AS (
    INSERT INTO hosted_links (token_hash, agency_id, mode, quote_id, issued_at)
    SELECT $11::bytea, agency_id, mode, id, created_at FROM created
  )
  SELECT true AS is_same FROM created
  UNION ALL
  SELECT (q.broker_id, q.created_at, q.expires_at, q.request_members, q.priced_members, q.deal, q.priced_under)
      = ($4, $5, $6, $7, $8, $9, $10)
    AND EXISTS (
      SELECT FROM hosted_links l
      WHERE l.token_hash = $11 AND l.agency_id = $1 AND l.mode = $2 AND l.quote_id = $3
    )
  FROM quotes q WHERE q.agency_id = $1 AND q.mode = $2 AND q.id = $3`;

async function create(database: Database, { agencyId, mode }: Tenant, quote: NewQuote): Promise<void> {
  const { id, brokerId, createdAt, expiresAt, requestMembers, pricedMembers, deal, pricedUnder } = quote;
  const inputs = [requestMembers, pricedMembers, deal, pricedUnder, quote.hostedLinkHash];
  const values = [agencyId, mode, id, brokerId, createdAt, expiresAt, ...inputs];
  const [row] = await database.write<{ is_same: boolean }>(CREATE, values);
  if (!row) throw new OutcomeUnknownError(new Error(`quote ${id} is being stored by another call`));
  if (!row.is_same) throw new Error(`quote ${id} is stored already with other content`);
}

/** By primary key; the broker is a filter on the one row. */
const FIND = `
  SELECT id, mode, expires_at, request_members, priced_members, pfq_now() AS read_at
  FROM quotes
  WHERE agency_id = $1 AND mode = $2 AND id = $3 AND ($4::text IS NULL OR broker_id = $4)`;

/** By quotes_by_id. */
const LOOK_UP = `
  SELECT id, mode, expires_at, request_members, priced_members, pfq_now() AS read_at, agency_id, broker_id, deal, priced_under
  FROM quotes WHERE id = $1`;

function toQuote(row: QuoteRow): Quote {
  return {
    id: row.id,
    mode: row.mode,
    expiresAt: row.expires_at,
    requestMembers: row.request_members,
    pricedMembers: row.priced_members,
    readAt: row.read_at,
  };
}
