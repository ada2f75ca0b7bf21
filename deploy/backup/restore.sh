#!/bin/sh
# Fills empty databases from the files that back-up.sh wrote, each in one transaction: all of it or nothing. Needs psql and
# pg_restore of the version that wrote them or newer.
set -eu

usage='usage: restore.sh FOLDER [gateway | quote-store | pricing | notification | application] ...
Addresses, by the role that is to own the schema: GATEWAY_DATABASE_URL, QUOTE_STORE_DATABASE_URL and so on, or the files
that GATEWAY_DATABASE_URL_FILE and so on name.'
# shellcheck source=deploy/backup/databases.sh
. "$(dirname "$0")/databases.sh"

folder=${1:?"$usage"}
shift
services=$(services_of pricing quote-store notification application gateway -- "$@")

# Before anything is written, so that what is forgotten is noticed while all databases are still empty.
for service in $services; do
  [ -f "$folder/$service.dump" ] || fail "there is no file $folder/$service.dump"
  connect_to "$service"
  tables=$(psql --no-psqlrc --tuples-only --no-align --dbname="$address" --command="
    SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'")
  [ "$tables" = 0 ] || fail "the database of $service is not empty: it has $tables tables"
done

for service in $services; do
  connect_to "$service"
  pg_restore --single-transaction --exit-on-error --no-owner --no-privileges --dbname="$address" "$folder/$service.dump"
  # Until it knows how much is where, the server chooses slow ways.
  psql --no-psqlrc --quiet --dbname="$address" --command=ANALYZE
  echo "$service: restored"
done
