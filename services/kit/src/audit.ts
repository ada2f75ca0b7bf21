import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuditAdminService } from '@pfq/proto/audit/v1/audit_pb';
import type { ListEntriesRequest } from '@pfq/proto/audit/v1/audit_pb';
import { ServiceError } from './errors.ts';
import type { Database } from './postgres.ts';
import type { RpcRoutes } from './rpc/server.ts';

/** One change that was made in a service. `details` are what it is since, in public field names, and never a secret. */
export type AuditEntry = {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Which changes are asked for, where null and empty ask for all. `before` itself is left out. */
export type AuditQuery = {
  readonly limit: number;
  readonly since: Date | null;
  readonly before: Date | null;
  /** Id of what was changed, or of the agency that it belongs to. */
  readonly target: string;
  readonly actor: string;
};

/** Where the changes of a service are kept. */
export type AuditSource = {
  /** Newest first, `limit` at most. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
};

const USUALLY_LISTED = 100;
const MOST_LISTED = 1_000;

/** Serves the operator's look at the changes of a service. */
export function auditRoutes(source: AuditSource): RpcRoutes {
  return (router) => {
    router.service(AuditAdminService, {
      async listEntries(request) {
        const query = readQuery(request);
        const found = await source.list({ ...query, limit: query.limit + 1 });
        const entries = found.slice(0, query.limit).map(({ id: entryId, at, details, ...rest }) => {
          return { ...rest, entryId, at: timestampFromDate(at), detailsJson: JSON.stringify(details) };
        });
        return { entries, hasMore: found.length > query.limit };
      },
    });
  };
}

function readQuery({ limit, since, before, target, actor }: ListEntriesRequest): AuditQuery {
  if (limit > MOST_LISTED) {
    const message = `limit must be at most ${MOST_LISTED}.`;
    throw new ServiceError('VALIDATION_FAILED', { message, param: 'limit' });
  }
  return {
    limit: limit || USUALLY_LISTED,
    since: since ? timestampDate(since) : null,
    before: before ? timestampDate(before) : null,
    target,
    actor,
  };
}

/**
 * By audit_log_by_time, read backwards from the newest. Who looks for one target or one actor reads past what others did:
 * the table grows by people's changes alone, and `since` bounds the look.
 */
const LIST = `
  SELECT id::text AS id, at, actor, action, target, details FROM audit_log
  WHERE at >= COALESCE($1::timestamptz, '-infinity') AND at < COALESCE($2::timestamptz, 'infinity')
    AND ($3 = '' OR target = $3 OR details ->> 'agency_id' = $3) AND ($4 = '' OR actor = $4)
  ORDER BY at DESC, id DESC LIMIT $5`;

/** The table audit_log, which every service that keeps one has with these columns and an index audit_log_by_time (at, id). */
export function postgresAuditLog(database: Pick<Database, 'read'>): AuditSource {
  return {
    list: ({ limit, since, before, target, actor }) =>
      database.read<AuditEntry>(LIST, [since, before, target, actor, limit]),
  };
}
