import type { Tenant } from '@pfq/kit/caller';
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
type OriginRow = QuoteRow & { agency_id: string; broker_id: string; deal: string; priced_under: string };

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

/** Quote and link in one statement; a repeated id inserts neither. */
const CREATE = `
  WITH created AS (
    INSERT INTO quotes (agency_id, mode, id, broker_id, created_at, expires_at, request_members, priced_members, deal, priced_under)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (agency_id, mode, id) DO NOTHING
    RETURNING agency_id, mode, id, created_at
  ), linked AS (
    INSERT INTO hosted_links (token_hash, agency_id, mode, quote_id, issued_at)
    SELECT $11, agency_id, mode, id, created_at FROM created
  )
  SELECT id FROM created`;

/** By primary key. */
const SAME = `
  SELECT request_members = $4 AND priced_members = $5 AND broker_id = $6 AS same
  FROM quotes WHERE agency_id = $1 AND mode = $2 AND id = $3`;

async function create(database: Database, { agencyId, mode }: Tenant, quote: NewQuote): Promise<void> {
  const created = await database.write(CREATE, [
    agencyId,
    mode,
    quote.id,
    quote.brokerId,
    quote.createdAt,
    quote.expiresAt,
    Buffer.from(quote.requestMembers),
    Buffer.from(quote.pricedMembers),
    quote.deal,
    quote.pricedUnder,
    Buffer.from(quote.hostedLinkHash),
  ]);
  if (created.length === 1) return;
  const existing = [
    agencyId,
    mode,
    quote.id,
    Buffer.from(quote.requestMembers),
    Buffer.from(quote.pricedMembers),
    quote.brokerId,
  ];
  const [row] = await database.read<{ same: boolean }>(SAME, existing);
  if (!row?.same) throw new Error(`quote ${quote.id} is stored already with other content`);
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
