#!/bin/sh
# Joins the certificates of several authorities into the Secret `pfq-authorities`, for trustedAuthorities.secret: of
# cloudnative-pg.yaml, strimzi.yaml and mongodb.yaml, as far as they are there. Run it again when one of them has changed.
#
#   sh authorities.sh pfq
#   helm -n pfq upgrade pfq .. --reset-then-reuse-values --set trustedAuthorities.secret=pfq-authorities
set -eu

namespace=${1:?say the namespace: sh authorities.sh NAMESPACE}
joined=$(mktemp)
trap 'rm -f "$joined"' EXIT
for secret in postgresql-ca kafka-cluster-ca-cert mongodb-tls; do
  # By itself, so that a failure of kubectl ends this, and is not taken for a Secret that is not there.
  encoded=$(kubectl -n "$namespace" get secret "$secret" --ignore-not-found -o 'jsonpath={.data.ca\.crt}')
  echo "$encoded" | base64 -d >>"$joined"
done
[ -s "$joined" ] || { echo "none of these Secrets is in $namespace yet" >&2 && exit 1; }
kubectl -n "$namespace" create secret generic pfq-authorities "--from-file=ca.crt=$joined" --dry-run=client -o yaml |
  kubectl apply -f -
