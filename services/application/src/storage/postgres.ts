import { emailKey } from '@pfq/kit/email-address';
import type { Database } from '@pfq/kit/postgres';
import type { Application, IncomingApplication } from '../domain/application.ts';
import { toPage } from '../domain/page.ts';
import { contentOf } from './store.ts';
import type { ApplicationStore, Content, Listing, UpsertCounts } from './store.ts';

type ListedRow = { is_visible: boolean; id: string | null; created_at: Date; content: Content };
type KnownRow = { id: string; agency_id: string; created_at: Date };
type StoredRow = { id: string; created_at: Date; is_new: boolean };

/** Rolls back what another time of creation stands against. */
class IdIsTaken extends Error {}

export function postgresApplicationStore(database: Database): ApplicationStore {
  return {
    async list(listing) {
      const { sql, values } = listStatement(listing);
      const rows = await database.read<ListedRow>(sql, values);
      return rows[0]?.is_visible ? toPage(rows.flatMap(toApplications), listing.limit) : null;
    },
    async findKnown(ids) {
      const rows = await database.read<KnownRow>(FIND_KNOWN, [ids]);
      return rows.map((row) => ({ id: row.id, agencyId: row.agency_id, createdAt: row.created_at }));
    },
    upsert: (incoming, actor) => upsert(database, incoming, actor),
  };
}

/**
 * One row says whether the application to start after is visible, and the page is joined to it. Filters that are not
 * wanted are left out, so that each combination has a plan of its own: by applications_by_creation, _by_broker or
 * _by_client_reference, read backwards from the start.
 */
function listStatement(listing: Listing): { readonly sql: string; readonly values: readonly unknown[] } {
  const { tenant, brokerEmail, startingAfter, clientReferenceId, limit } = listing;
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const visible = [`agency_id = ${value(tenant.agencyId)}`, `mode = ${value(tenant.mode)}`];
  if (brokerEmail !== undefined) visible.push(`broker_email_key = ${value(emailKey(brokerEmail))}`);
  const wanted = [...visible];
  if (clientReferenceId !== undefined) wanted.push(`client_reference_id = ${value(clientReferenceId)}`);
  const isStart = startingAfter === undefined ? 'false' : `id = ${value(startingAfter)}`;
  if (startingAfter !== undefined) {
    wanted.push('(created_at, id) < ((SELECT created_at FROM start), (SELECT id FROM start))');
  }
  const sql = `
    WITH start AS (SELECT created_at, id FROM applications WHERE ${visible.join(' AND ')} AND ${isStart})
    SELECT is_visible, page.id, page.created_at, page.content
    FROM (SELECT ${startingAfter === undefined} OR EXISTS (SELECT FROM start) AS is_visible) AS given
    LEFT JOIN LATERAL (
      SELECT id, created_at, content FROM applications WHERE ${wanted.join(' AND ')}
      ORDER BY created_at DESC, id DESC LIMIT ${value(limit + 1)}
    ) AS page ON is_visible
    ORDER BY page.created_at DESC, page.id DESC`;
  return { sql, values };
}

/** Where the page is empty its one row holds no application. */
function toApplications({ id, created_at: createdAt, content }: ListedRow): readonly Application[] {
  return id === null ? [] : [{ ...content, id, createdAt }];
}

/** By applications_by_id. */
const FIND_KNOWN = 'SELECT id, agency_id, created_at FROM applications WHERE id = ANY ($1::text[])';

/**
 * Gives what was inserted or changed, and what has another time of creation; what is the same already is not touched.
 * In the order of ids, so that calls with ids in common wait for each other and never in a circle. The system column xmax
 * is zero in a row that was inserted, not updated.
 */
const UPSERT = `
  WITH stored AS (
    INSERT INTO applications (agency_id, mode, id, created_at, broker_email_key, client_reference_id, content)
    SELECT agency_id, 'live', id, created_at, broker_email_key, client_reference_id, content::json
    FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
      AS sent (agency_id, id, created_at, broker_email_key, client_reference_id, content)
    ORDER BY id COLLATE "C"
    ON CONFLICT (agency_id, mode, id) DO UPDATE
    SET broker_email_key = excluded.broker_email_key,
        client_reference_id = excluded.client_reference_id,
        content = excluded.content
    WHERE applications.created_at <> excluded.created_at OR applications.content::text <> excluded.content::text
    RETURNING agency_id, id, created_at, xmax = 0 AS is_new
  ), audited AS (
    INSERT INTO audit_log (actor, action, target, details)
    SELECT $7, CASE WHEN is_new THEN 'application.create' ELSE 'application.update' END, id,
      jsonb_build_object('agency_id', agency_id)
    FROM stored
  )
  SELECT id, created_at, is_new FROM stored`;

async function upsert(
  database: Database,
  incoming: readonly IncomingApplication[],
  actor: string,
): Promise<UpsertCounts | null> {
  const applications = incoming.map(({ application }) => application);
  const createdAtById = new Map(applications.map(({ id, createdAt }) => [id, createdAt.getTime()]));
  const values = [
    incoming.map(({ agencyId }) => agencyId),
    applications.map(({ id }) => id),
    applications.map(({ createdAt }) => createdAt),
    applications.map(({ brokerEmail }) => emailKey(brokerEmail)),
    applications.map(({ clientReferenceId }) => clientReferenceId),
    applications.map((application) => JSON.stringify(contentOf(application))),
    actor,
  ];
  try {
    const stored = await database.transaction(async ({ query }) => {
      const rows = await query<StoredRow>(UPSERT, values);
      if (rows.some((row) => row.created_at.getTime() !== createdAtById.get(row.id))) throw new IdIsTaken();
      return rows;
    });
    const created = stored.filter((row) => row.is_new).length;
    return { created, updated: stored.length - created, unchanged: incoming.length - stored.length };
  } catch (error) {
    if (error instanceof IdIsTaken || isOfAnotherAgency(error)) return null;
    throw error;
  }
}

function isOfAnotherAgency(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'applications_by_id';
}
