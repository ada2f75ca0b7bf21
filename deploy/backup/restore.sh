#!/bin/sh
# Fills empty databases from the files that back-up.sh wrote, each in one transaction: all of it or nothing. Needs psql and
# pg_restore of the version that wrote them.
set -eu

usage='usage: restore.sh FOLDER [gateway | quote-store | pricing | notification | application] ...
All five, where none is named. Addresses, by the role that is to own the schema: GATEWAY_DATABASE_URL,
QUOTE_STORE_DATABASE_URL and so on, or the files that GATEWAY_DATABASE_URL_FILE and so on name.'
# shellcheck source=deploy/backup/databases.sh
. "$(dirname "$0")/databases.sh"

# ask: gives the answer to the statement on standard input, in which :'roles' is what `roles` holds.
ask() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --set="roles=$roles" --dbname="$address"
}

folder=${1:?"$usage"}
shift
choose 'pricing quote-store notification application gateway' "$@"

# Before anything is written, so that what is forgotten is noticed while all databases are still empty.
for service in $services; do
  [ -f "$folder/$service.dump" ] || fail "there is no file $folder/$service.dump"
done
for service in $services; do
  connect_to "$service"
  schema=$(pg_restore --schema-only --no-owner --no-privileges --file=- "$folder/$service.dump") ||
    fail "the file of $service cannot be read"
  roles=$(printf '%s\n' "$schema" | sed -n 's/^CREATE POLICY .* TO \(.*\) USING .*/\1/p' | sort -u)
  tables=$(ask <<'SQL'
SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind IN ('r', 'p') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%'
SQL
  )
  [ "$tables" = 0 ] || fail "the database of $service is not empty: it has $tables tables"
  missing=$(ask <<'SQL'
SELECT string_agg(role, ', ') FROM unnest(string_to_array(:'roles', E'\n')) AS role
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE quote_ident(rolname) = role)
SQL
  )
  [ -z "$missing" ] || fail "the file of $service names a role that the new server does not have: create $missing first"
done

for service in $services; do
  connect_to "$service"
  pg_restore --single-transaction --exit-on-error --no-owner --no-privileges --dbname="$address" "$folder/$service.dump" ||
    fail "$service could not be restored, and its database is as empty as before"
  # Until it knows how much is where, the server chooses slow ways. What is the server's own, an owner may not look at.
  PGOPTIONS='-c client_min_messages=error' psql --no-psqlrc --quiet --dbname="$address" --command=ANALYZE
  echo "$service: restored"
done
