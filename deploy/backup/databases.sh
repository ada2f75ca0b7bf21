# What back-up.sh and restore.sh share. Says `usage` where something is missing.
# shellcheck shell=sh

# variable_of SERVICE: the name of the variable with its address.
variable_of() {
  printf '%s_DATABASE_URL' "$1" | tr 'a-z-' 'A-Z_'
}

# url_of SERVICE: its address, nothing where none is set.
url_of() {
  eval "url=\${$(variable_of "$1"):-} file=\${$(variable_of "$1")_FILE:-}"
  [ -n "$url" ] || [ -z "$file" ] || url=$(cat "$file")
  printf '%s' "$url"
}

# services_of KNOWN ... -- [WANTED ...]: the wanted ones in the order of the known, or all that have an address.
services_of() {
  known=''
  while [ "$1" != -- ]; do
    known="$known $1"
    shift
  done
  shift
  for wanted in "$@"; do
    case "$known " in *" $wanted "*) ;; *) fail "there is no service $wanted" ;; esac
    [ -n "$(url_of "$wanted")" ] || fail "$(variable_of "$wanted") is not set"
  done
  chosen=''
  for service in $known; do
    case " $* " in
    '  ') [ -z "$(url_of "$service")" ] || chosen="$chosen $service" ;;
    *" $service "*) chosen="$chosen $service" ;;
    esac
  done
  [ -n "$chosen" ] || fail 'no address is set'
  printf '%s' "$chosen"
}

# connect_to SERVICE: sets `address` to its address without the password, which goes by the environment, because arguments
# are seen by whoever lists processes.
connect_to() {
  url=$(url_of "$1")
  case $url in
  mongodb*) fail "$1 is in MongoDB: services/application/src/back-up.ts and restore.ts copy it" ;;
  postgres://* | postgresql://*) ;;
  *) fail "$(variable_of "$1") must be a URL such as postgres://…" ;;
  esac
  rest=${url#*://}
  authority=${rest%%[/?]*}
  credentials=${authority%@*}
  unset PGPASSWORD
  address=$url
  case $authority in
  *:*@*)
    PGPASSWORD=$(decode "${credentials#*:}")
    export PGPASSWORD
    address="${url%%://*}://${credentials%%:*}@${authority##*@}${rest#"$authority"}"
    ;;
  esac
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
