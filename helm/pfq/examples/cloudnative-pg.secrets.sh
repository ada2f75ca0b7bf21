#!/bin/sh
# Makes the passwords of the roles of cloudnative-pg.yaml, a Secret for each, and the Secret `pfq-databases` with their URLs, which
# cloudnative-pg.values.yaml names. Needs kubectl and openssl. Changes nothing where `pfq-databases` is there: to have new
# passwords, delete it, run this again, and restart the services once the operator has set them.
set -eu

namespace=${1:?say the namespace: sh cloudnative-pg.secrets.sh NAMESPACE}
host=postgresql-rw.$namespace.svc
found=$(kubectl -n "$namespace" get secret pfq-databases --ignore-not-found -o name)
if [ -n "$found" ]; then
  echo 'the Secret pfq-databases is there already: nothing is changed' >&2
  exit 0
fi

urls=$(mktemp)
trap 'rm -f "$urls"' EXIT

# role NAME KEY DATABASE: one role that may log in, and its URL under a key of pfq-databases.
role() {
  password=$(openssl rand -hex 24)
  kubectl apply -f - <<SECRET
apiVersion: v1
kind: Secret
metadata:
  name: postgresql-$(echo "$1" | tr _ -)
  namespace: $namespace
  labels: { cnpg.io/reload: 'true' }
type: kubernetes.io/basic-auth
stringData: { username: $1, password: $password }
SECRET
  echo "  $2: postgres://$1:$password@$host:5432/$3?sslmode=verify-full" >>"$urls"
}

for service in gateway pricing quote-store application notification; do
  database=$(echo "$service" | tr - _)
  role "$database" "$service-database-url" "$database"
  role "${database}_owner" "$service-migration-url" "$database"
done

kubectl apply -f - <<SECRET
apiVersion: v1
kind: Secret
metadata:
  name: pfq-databases
  namespace: $namespace
type: Opaque
stringData:
$(cat "$urls")
SECRET
