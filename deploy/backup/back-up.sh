#!/bin/sh
# Writes what services keep in PostgreSQL into files that restore.sh reads: SERVICE.dump for each service named, or for
# all five. Needs pg_dump of the server's version.
set -eu

usage='usage: back-up.sh FOLDER [gateway | quote-store | pricing | notification | application] ...
All five, where none is named. Addresses, by the role that owns the schema: GATEWAY_DATABASE_URL, QUOTE_STORE_DATABASE_URL
and so on, or the files that GATEWAY_DATABASE_URL_FILE and so on name.'
# shellcheck source=deploy/backup/databases.sh
. "$(dirname "$0")/databases.sh"

folder=${1:?"$usage"}
shift
# Each database is seen as it was at one moment, one after the other: whatever names something comes before where that is
# kept, so that no answer, price or job of one file speaks of what is missing in a later one.
choose 'gateway quote-store pricing notification application' "$@"
umask 077
mkdir -p "$folder"
for service in $services; do
  connect_to "$service"
  pg_dump --format=custom --no-owner --no-privileges --lock-wait-timeout=60s \
    --file="$folder/$service.dump.part" --dbname="$address"
done
# Under their names once all are whole, so that what failed in the middle leaves no file beside those of another day.
for service in $services; do
  mv "$folder/$service.dump.part" "$folder/$service.dump"
  echo "$service: $(wc -c <"$folder/$service.dump") bytes"
done
