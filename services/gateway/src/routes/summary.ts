import type { IncomingMessage } from 'node:http';
import type { Attributes } from '@pfq/kit/telemetry/registry';
import { currentIds } from '@pfq/kit/telemetry/spans';
import { shownPath } from '../domain/kept-request.ts';
import type { KeptRequest } from '../domain/kept-request.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import type { Match } from './match.ts';

type End = { readonly status: number; readonly endedAt: number };

/** PostgreSQL's largest `integer`: 35 minutes. */
const MOST_MICROSECONDS = 2_147_483_647;

/** What may be shown of any path: what stands in ours. */
const PATH_WORDS = new Set(ENDPOINTS.flatMap(({ path }) => path.split('/')));

/** What became of a request, in ids and codes: its log line, its span and what is kept of it tell no more. */
export function summaryOf(
  { method = '', headers }: IncomingMessage,
  { requestId, startedAt, path, match, access, code, quoteId, version, replayOf }: Exchange,
  { status, endedAt }: End,
): KeptRequest {
  return {
    requestId,
    receivedAt: new Date(startedAt),
    method,
    path: shownPath(path, PATH_WORDS),
    route: routeOf(match),
    status,
    durationUs: Math.min(MOST_MICROSECONDS, Math.round((endedAt - startedAt) * 1_000)),
    errorCode: code ?? null,
    sender: access ? { agencyId: access.agencyId, mode: access.mode, keyId: access.keyId } : null,
    quoteId: quoteId ?? null,
    apiVersion: version,
    hasIdempotencyKey: headers['idempotency-key'] !== undefined,
    replayOf: replayOf ?? null,
    traceId: currentIds().trace_id ?? null,
  };
}

function routeOf(match: Match | undefined): string {
  if (match?.kind === 'endpoint') return match.endpoint.path;
  return match?.kind === 'other_method' ? match.route : 'unmatched';
}

/** The fields of its log line. */
export function lineOf({ requestId, method, route, sender, errorCode, quoteId, replayOf, ...rest }: KeptRequest) {
  return {
    request_id: requestId,
    method,
    route,
    agency_id: sender?.agencyId,
    mode: sender?.mode,
    key_id: sender?.keyId,
    quote_id: quoteId ?? undefined,
    replay_of: replayOf ?? undefined,
    code: errorCode ?? undefined,
    duration_ms: Math.round(rest.durationUs / 100) / 10,
    status: rest.status === 0 ? undefined : rest.status,
  };
}

/** Of its span. */
export function attributesOf({ requestId, sender, quoteId, apiVersion }: KeptRequest): Attributes {
  return {
    'pfq.request.id': requestId,
    'pfq.agency.id': sender?.agencyId,
    'pfq.mode': sender?.mode,
    'pfq.key.id': sender?.keyId,
    'pfq.quote.id': quoteId ?? undefined,
    'pfq.api.version': apiVersion,
  };
}
