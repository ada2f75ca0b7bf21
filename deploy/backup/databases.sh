# What back-up.sh and restore.sh share. Says `usage` where something is missing.
# shellcheck shell=sh

# choose ORDER [SERVICE ...]: sets `services` to those named, in this order, or to all of the order where none is. Ends the
# script, by name, where one is not known or has no address that can be used.
choose() {
  order=$1
  shift
  for service in "$@"; do
    case " $order " in *" $service "*) ;; *) fail "there is no service $service" ;; esac
  done
  services=''
  for service in $order; do
    case " $* " in '  ' | *" $service "*) services="$services $service" ;; esac
  done
  for service in $services; do
    connect_to "$service"
  done
}

# connect_to SERVICE: sets `address` to its address without the password, which goes by the environment, because arguments
# are seen by whoever lists processes.
connect_to() {
  variable=$(printf '%s_DATABASE_URL' "$1" | tr 'a-z-' 'A-Z_')
  read_url
  case $url in
  mongodb*) fail "$1 is in MongoDB, which services/application/src/back-up.ts and restore.ts copy: name the services that are not" ;;
  postgres://* | postgresql://*) ;;
  *) fail "$variable must be a URL such as postgres://…" ;;
  esac
  rest=${url#*://}
  authority=${rest%%[/?]*}
  rest=${rest#"$authority"}
  case $rest in *@*) fail "$variable has an @ behind its host: in names and passwords write @, / and ? as %40, %2F and %3F" ;; esac
  # Names of parameters may be written as %XX too.
  case "&$(decode "${rest#*\?}")" in
  *'&password='* | *'&sslpassword='* | *'&oauth_client_secret='*)
    fail "$variable has a password behind the ?, where whoever lists processes would see it: write postgres://user:password@host/…"
    ;;
  esac
  credentials=${authority%@*}
  unset PGPASSWORD
  address=$url
  case $authority in
  *:*@*)
    PGPASSWORD=$(decode "${credentials#*:}")
    export PGPASSWORD
    address="${url%%://*}://${credentials%%:*}@${authority##*@}$rest"
    ;;
  esac
}

# read_url: sets `url` to what `variable` holds, or the file that its …_FILE names, as services read them.
read_url() {
  eval "url=\${$variable:-} file=\${${variable}_FILE:-}"
  [ -n "$url$file" ] || fail "$variable is not set"
  [ -z "$url" ] || [ -z "$file" ] || fail "$variable and ${variable}_FILE are both set: keep one"
  [ -n "$file" ] || return 0
  url=$(cat "$file") || fail "$variable cannot be read from the file that ${variable}_FILE names: $file"
  url=$(printf '%s' "$url" | tr -d '[:space:]')
  [ -n "$url" ] || fail "$variable cannot be read from the file that ${variable}_FILE names, which is empty: $file"
}

# decode TEXT: with what URLs write as %XX.
decode() {
  ENCODED=$1 LC_ALL=C awk 'BEGIN {
    text = ENVIRON["ENCODED"]
    while ((at = index(text, "%")) > 0) {
      high = index("0123456789ABCDEF", toupper(substr(text, at + 1, 1))) - 1
      low = index("0123456789ABCDEF", toupper(substr(text, at + 2, 1))) - 1
      done = done substr(text, 1, at - 1) sprintf("%c", 16 * high + low)
      text = substr(text, at + 3)
    }
    printf "%s", done text
  }'
}

fail() {
  printf '%s\n%s\n' "$1" "$usage" >&2
  exit 1
}
