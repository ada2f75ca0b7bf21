import { CommandFailure, Stopped } from '../failure.ts';
import { isRecord } from '../json.ts';

/** What came over the public network: `place` is method and path, for messages. */
export type WebAnswer = {
  readonly place: string;
  readonly status: number;
  readonly text: string;
  readonly requestId: string | null;
};

type Asking = { readonly key?: string; readonly body?: object; readonly stopping: AbortSignal };

/** More than the gateway gives any request. */
const TIMEOUT_MS = 60_000;

/** Asks as a caller from outside does, and follows no redirect. Throws a CommandFailure, or Stopped. */
export async function askWeb(url: URL, { key, body, stopping }: Asking): Promise<WebAnswer> {
  const method = body === undefined ? 'GET' : 'POST';
  // The path of a hosted page is as good as a key.
  const place = key === undefined ? `${method} ${url.origin}/…` : `${method} ${url.href}`;
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const requestId = response.headers.get('Request-Id');
    return { place, status: response.status, text: await response.text(), requestId };
  } catch (error) {
    if (stopping.aborted) throw new Stopped('stopped before the test was done.', error);
    throw new CommandFailure(`${place} got no answer: ${reasonOf(error)}.`, error);
  }
}

/** The JSON object of an answer that must have `status`. Throws a CommandFailure with what the answer says instead. */
export function objectOf(answer: WebAnswer, status: number): Readonly<Record<string, unknown>> {
  const given = parseOrNull(answer.text);
  if (answer.status === status && isRecord(given)) return given;
  const error = isRecord(given) && isRecord(given['error']) ? given['error'] : {};
  const said = [error['code'], error['message']].filter((word) => typeof word === 'string').join(': ');
  throw unexpected(answer, said === '' ? 'what answers there is not the API' : said);
}

/** The failure of an answer that is not what was expected, with the id by which its request is found. */
export function unexpected({ place, status, requestId }: WebAnswer, what: string): CommandFailure {
  const found = requestId === null ? '' : ` (request ${requestId})`;
  return new CommandFailure(`${place} answered ${status}: ${what}${found}`);
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it took more than ${TIMEOUT_MS / 1_000} s`;
  const { cause } = error;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : error.message;
}
