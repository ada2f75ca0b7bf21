import { ServiceError } from '@pfq/kit/errors';
import type { Endpoint } from './endpoints.ts';

/** An endpoint, or the methods of a path that knows others, or nothing. */
export type Match =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'other_method'; readonly allow: string }
  | { readonly kind: 'unknown' };

/** Finds the endpoint of a request. Paths match to the letter; HEAD is GET; a part that cannot be decoded matches nothing. */
export function matchEndpoint(endpoints: readonly Endpoint[], method: string, rawPath: string): Match {
  const matching = endpoints.flatMap((endpoint) => {
    const path = matchPath(endpoint.path, rawPath);
    return path ? [{ endpoint, path }] : [];
  });
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = matching.find(({ endpoint }) => endpoint.method === wanted);
  if (found) return { kind: 'endpoint', ...found };
  if (matching.length === 0) return { kind: 'unknown' };
  const methods = matching.flatMap(({ endpoint }) => (endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method]));
  return { kind: 'other_method', allow: methods.join(', ') };
}

export function unknownPath(): ServiceError {
  return new ServiceError('NOT_FOUND', {
    message: 'There is nothing at this path. Check its spelling; paths match exactly.',
  });
}

function matchPath(pattern: string, rawPath: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = rawPath.split('/');
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const decoded = decode(given[index] ?? '');
    if (decoded === null) return null;
    if (part.startsWith('{')) values[part.slice(1, -1)] = decoded;
    else if (part !== given[index]) return null;
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
