const SCHEME_AND_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** A request target as path and query, whatever form it came in (RFC 9112, 3.2): Express answers others in HTML. */
export function toOriginForm(target: string): string {
  const rest = target.replace(SCHEME_AND_AUTHORITY, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path of a target in origin form, as it was sent: not decoded, without the query. */
export function pathOf(target: string): string {
  return target.replace(/\?.*$/s, '');
}
