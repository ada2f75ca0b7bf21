import type { Database } from '@pfq/kit/postgres';
import { requireUnexpired } from '../domain/quote.ts';
import type { Quote } from '../domain/quote.ts';
import { makeChange } from './postgres-changes.ts';
import type { Change } from './store.ts';

/**
 * Revokes by hosted_links_current, and issues only after: the fresh link would meet the current one in that unique index,
 * so it is made from what revoking gave.
 */
const REPLACE = `
  WITH revoked AS (
    UPDATE hosted_links SET replaced_at = pfq_now()
    WHERE agency_id = $1 AND mode = $2 AND quote_id = $3 AND replaced_at IS NULL
    RETURNING token_hash
  )
  INSERT INTO hosted_links (token_hash, agency_id, mode, quote_id, issued_at, change_id)
  SELECT $5::bytea, $1, $2, $3, pfq_now(), $4 FROM (SELECT count(*) FROM revoked) AS after_revoking`;

/** By primary key: the link's hash. */
const IS_ISSUED = `
  SELECT token_hash FROM hosted_links
  WHERE token_hash = $5 AND agency_id = $1 AND mode = $2 AND quote_id = $3 AND change_id = $4`;

export async function replaceHostedLink(
  database: Database,
  change: Change,
  hostedLinkHash: Uint8Array,
): Promise<Quote> {
  const { agencyId, mode } = change.visibility.tenant;
  const values = [agencyId, mode, change.quoteId, change.id, hostedLinkHash];
  const { quote: changed } = await makeChange(database, change, {
    async make(quote, query) {
      requireUnexpired(quote);
      await query(REPLACE, values);
      return quote;
    },
    wasMade: async (_quote, query) => (await query(IS_ISSUED, values)).length === 1,
  });
  return changed;
}
