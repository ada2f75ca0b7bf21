import type { Connection } from './postgres.ts';

/** By table, as it stands in a statement: what the service's role is given on it, such as `SELECT, INSERT`. */
export type GivenRights = Readonly<Record<string, string>>;

/**
 * Throws an Error that says how, where a service's role could change the schema whatever it is given: by itself, or as a member of
 * another role. Whether it inherits from that one makes no difference, because it can become it.
 */
export async function assertBound(client: Connection, role: string): Promise<void> {
  const { rows } = await client.query<Way>(WAYS, [role]);
  if (rows.length > 0)
    throw new Error(`DATABASE_SERVICE_ROLE names ${role}, which could change the schema: ${tell(rows)}`);
}

/** Throws one where it, or a role of which it is a member, can change more on our tables than it was given. */
export async function assertHasNoMore(
  client: Connection,
  { role, given }: { readonly role: string; readonly given: GivenRights },
): Promise<void> {
  const { rows } = await client.query<Way>(MORE, [role, JSON.stringify(given)]);
  if (rows.length > 0)
    throw new Error(`DATABASE_SERVICE_ROLE names ${role}, which could do more than the service does: ${tell(rows)}`);
}

/** What a role can do, which is the service's own where `member_of` is null. */
type Way = { readonly member_of: string | null; readonly says: string };

function tell(ways: readonly Way[]): string {
  return ways
    .map(({ member_of: other, says }) => (other === null ? `it ${says}` : `it is a member of ${other}, which ${says}`))
    .join('; ');
}

/** The role and all that it can become; of a superuser, who is a member of every role, itself alone. By the name's unique index. */
const REACHED = `
  reached AS (
    SELECT r.oid, r.rolname, r.rolsuper, r.rolcreaterole, nullif(r.rolname, s.rolname) AS member_of
    FROM pg_roles s
    JOIN pg_roles r ON r.oid = s.oid OR (NOT s.rolsuper AND pg_has_role(s.oid, r.oid, 'MEMBER'))
    WHERE s.rolname = $1
  ),
  ours AS (SELECT oid, nspowner FROM pg_namespace WHERE nspname IN ('public', 'graphile_worker'))`;

/**
 * Each is a way that grants on tables do not ask for; of those of one role, the widest. The owner of a schema may drop whatever is
 * in it.
 */
const WAYS = `
  WITH ${REACHED},
  owners AS (
    SELECT nspowner AS oid FROM ours
    UNION SELECT relowner FROM pg_class WHERE relnamespace IN (SELECT oid FROM ours)
    UNION SELECT proowner FROM pg_proc WHERE pronamespace IN (SELECT oid FROM ours)
  )
  SELECT r.member_of, (array_agg(way.says ORDER BY way.place))[1] AS says
  FROM reached r, LATERAL (VALUES
    (1, r.rolsuper, 'is a superuser'),
    (2, r.rolcreaterole, 'may make roles, and make itself a member of others'),
    (3, r.rolname IN ('pg_execute_server_program', 'pg_write_server_files'), 'may do anything on the server'),
    (4, r.oid IN (SELECT oid FROM owners), 'owns tables, functions or their schema'),
    (5, r.oid = (SELECT datdba FROM pg_database WHERE datname = current_database()), 'owns the database'),
    (6, has_database_privilege(r.oid, current_database(), 'CREATE'), 'may create schemas in this database'),
    (7, has_schema_privilege(r.oid, 'public', 'CREATE'), 'may create tables in the schema public')
  ) AS way (place, is_so, says)
  WHERE way.is_so
  GROUP BY r.member_of
  ORDER BY min(way.place), r.member_of NULLS FIRST`;

/** Rights on our tables that were given to a role of which it is a member, or to it by somebody else than their owner. */
const MORE = `
  WITH ${REACHED}
  SELECT r.member_of, 'may ' || string_agg(DISTINCT p.act, ', ') || ' on ' || c.oid::regclass AS says
  FROM reached r
  CROSS JOIN pg_class c
  CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p (act)
  LEFT JOIN json_each_text($2) AS given (name, rights) ON given.name::regclass = c.oid
  WHERE c.relnamespace IN (SELECT oid FROM ours) AND c.relkind IN ('r', 'p', 'v') AND pg_has_role(c.relowner, 'USAGE')
    AND NOT p.act = ANY (string_to_array(coalesce(given.rights, ''), ', '))
    AND CASE WHEN p.act IN ('INSERT', 'UPDATE', 'REFERENCES') THEN has_any_column_privilege(r.oid, c.oid, p.act)
      ELSE has_table_privilege(r.oid, c.oid, p.act) END
  GROUP BY r.member_of, c.oid
  ORDER BY r.member_of NULLS FIRST, c.oid`;
