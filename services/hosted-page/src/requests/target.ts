/** Which page a request target asks for, and of which link. */
export type Target =
  | { readonly kind: 'link'; readonly step: Step; readonly token: string }
  /** Below `/q/`, but not the address of any link. */
  | { readonly kind: 'no-link' }
  | { readonly kind: 'robots' }
  | { readonly kind: 'nothing' };

/** What a link has addresses for. */
export type Step = 'quote' | 'review' | 'interest';

const SCHEME_AND_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;
const BELOW_LINKS = /^\/q\/(?<token>[^/]*)(?:\/(?<step>review|interest))?$/;

/** A request target as path and query, whatever form it came in (RFC 9112, 3.2): Express knows no other. */
export function toOriginForm(target: string): string {
  const rest = target.replace(SCHEME_AND_AUTHORITY, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path of a target in origin form, undecoded, and its query. */
export function splitTarget(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = target.indexOf('?');
  if (mark < 0) return { path: target, query: new URLSearchParams() };
  return { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) };
}

/** Paths match exactly: case, no trailing slash, no character encoded that need not be. `prefix` is empty or begins with a slash. */
export function readPath(path: string, prefix: string): Target {
  if (path === '/robots.txt') return { kind: 'robots' };
  if (!path.startsWith(prefix)) return { kind: 'nothing' };
  const match = BELOW_LINKS.exec(path.slice(prefix.length))?.groups;
  if (!match) return { kind: 'nothing' };
  const { token = '', step } = match;
  if (!TOKEN.test(token)) return { kind: 'no-link' };
  return { kind: 'link', token, step: step === 'review' || step === 'interest' ? step : 'quote' };
}

/** For the log: the address without the token. */
export function routeOf(target: Target): string {
  if (target.kind === 'robots') return '/robots.txt';
  if (target.kind === 'nothing') return 'unmatched';
  return target.kind === 'link' && target.step !== 'quote' ? `/q/{token}/${target.step}` : '/q/{token}';
}

/** The value of a parameter that stands in the query once; null otherwise. */
export function single(query: URLSearchParams, name: string): string | null {
  const [value, ...others] = query.getAll(name);
  return value === undefined || others.length > 0 ? null : value;
}
