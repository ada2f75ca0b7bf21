/** Whatever a role has been given in a database, a line each; `$role` stands for its name. Catalogues are small. */
export const RIGHTS = `
  SELECT kind || ' ' || name || ': ' || string_agg(privilege_type, ', ' ORDER BY privilege_type) AS given
  FROM (
    SELECT 'relation' AS kind, oid::regclass::text AS name, relacl AS acl FROM pg_class
    UNION ALL SELECT 'routine', oid::regprocedure::text, proacl FROM pg_proc
    UNION ALL SELECT 'schema', nspname, nspacl FROM pg_namespace
    UNION ALL SELECT 'database', datname, datacl FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT 'what will be made in', defaclnamespace::regnamespace::text, defaclacl FROM pg_default_acl
  ) AS object, LATERAL aclexplode(acl)
  WHERE grantee = '$role'::regrole
  GROUP BY kind, name
  UNION ALL
  SELECT 'policy of ' || schemaname || '.' || tablename FROM pg_policies WHERE '$role' = ANY (roles)
  UNION ALL
  SELECT 'owner of ' || oid::regclass::text FROM pg_class WHERE relowner = '$role'::regrole
  ORDER BY given`;
