import type { Endpoint, PathValues } from './endpoint.ts';

/** An endpoint, or a known path and the methods that it has, or nothing. */
export type Match =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly path: PathValues }
  | { readonly kind: 'other_method'; readonly route: string; readonly allow: string }
  | { readonly kind: 'unknown' };

type Sent = { readonly method: string; readonly path: string };

/** Finds the endpoint of a request. Paths match to the letter; HEAD is GET; a part that cannot be decoded matches nothing. */
export function matchEndpoint(endpoints: readonly Endpoint[], { method, path }: Sent): Match {
  const matching = endpoints.flatMap((endpoint) => {
    const values = matchPath(endpoint.path, path);
    return values ? [{ endpoint, path: values }] : [];
  });
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = matching.find(({ endpoint }) => endpoint.method === wanted);
  if (found) return { kind: 'endpoint', ...found };
  const [first] = matching;
  if (!first) return { kind: 'unknown' };
  const methods = matching.flatMap(({ endpoint }) => (endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method]));
  return { kind: 'other_method', route: first.endpoint.path, allow: methods.join(', ') };
}

function matchPath(pattern: string, path: string): PathValues | null {
  const wanted = pattern.split('/');
  const sent = path.split('/');
  if (wanted.length !== sent.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const given = sent[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (given !== part) return null;
      continue;
    }
    const value = decode(given);
    if (value === null || value === '') return null;
    values[name] = value;
  }
  return values;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
