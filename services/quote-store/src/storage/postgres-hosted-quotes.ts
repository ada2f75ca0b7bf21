import type { Mode } from '@pfq/kit/caller';
import type { Database } from '@pfq/kit/postgres';
import { alreadyInterested } from '../domain/interest.ts';
import { expressInterest } from './postgres-interests.ts';
import type { Way } from './postgres-interests.ts';
import { QUOTE_COLUMNS, QUOTES_AS_THEY_STAND, toQuote } from './quote-rows.ts';
import type { QuoteRow } from './quote-rows.ts';
import type { LinkedInterest, LinkedQuote, LinkedResponse } from './store.ts';

/** The link by primary key, and by what it says one row each of the others. */
const READ = `
  SELECT l.replaced_at IS NULL AS is_current, ${QUOTE_COLUMNS}
  FROM hosted_links l
  JOIN (${QUOTES_AS_THEY_STAND}) ON (q.agency_id, q.mode, q.id) = (l.agency_id, l.mode, l.quote_id)
  WHERE l.token_hash = $1`;

export async function readByLink(database: Database, hostedLinkHash: Uint8Array): Promise<LinkedQuote | null> {
  const [row] = await database.read<QuoteRow & { is_current: boolean }>(READ, [hostedLinkHash]);
  if (!row) return null;
  return row.is_current ? { link: 'current', quote: toQuote(row) } : { link: 'replaced', mode: row.mode };
}

type Link = { readonly agency_id: string; readonly mode: Mode; readonly quote_id: string };

/** By primary key. Of which quote a link is never changes, so it is known before that quote is locked. */
const FIND = 'SELECT agency_id, mode, quote_id FROM hosted_links WHERE token_hash = $1';

/** By primary key or hosted_links_current, which find one row each. */
const IS_CURRENT = `
  SELECT token_hash FROM hosted_links
  WHERE token_hash = $1 AND agency_id = $2 AND mode = $3 AND quote_id = $4 AND replaced_at IS NULL`;

export async function expressInterestByLink(
  database: Database,
  hostedLinkHash: Uint8Array,
  { changeId, interest }: LinkedResponse,
): Promise<LinkedInterest | null> {
  const [link] = await database.read<Link>(FIND, [hostedLinkHash]);
  if (!link) return null;
  const tenant = { agencyId: link.agency_id, mode: link.mode };
  const change = { id: changeId, quoteId: link.quote_id, visibility: { tenant, brokerId: undefined } };
  const way: Way = {
    async requireOpen(query) {
      const [current] = await query(IS_CURRENT, [hostedLinkHash, tenant.agencyId, tenant.mode, link.quote_id]);
      if (!current) throw new LinkReplaced();
    },
    // Going back and confirming again with another note is no fault of ours, as it would be of the gateway.
    refuseOtherWords() {
      throw alreadyInterested();
    },
  };
  try {
    return { link: 'current', ...(await expressInterest(database, change, { interest, way })) };
  } catch (error) {
    if (error instanceof LinkReplaced) return { link: 'replaced', mode: tenant.mode };
    throw error;
  }
}

/** Undoes the transaction in which a link turned out to be revoked. */
class LinkReplaced extends Error {}
