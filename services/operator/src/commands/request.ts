import { Mode } from '@pfq/proto/common/v1/mode_pb';
import type { PublicRequest } from '@pfq/proto/gateway/v1/request_admin_pb';
import type { Command } from 'commander';
import { present } from '../failure.ts';
import { formatFields, formatRows, toIsoTime, toJson, type Answer, type Row } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';
import { modeWord } from '../words.ts';

export function addRequestCommands(program: Command, context: Context): void {
  const request = addNoun(program, 'request', 'requests to the public API, of every agency');

  addVerb(request, {
    usage: 'show <id>',
    summary: 'show what became of a request, by the Request-Id of its answer; nothing that it said is kept',
    example: 'show req_0UzKdPq3aXb81Lm2RtWc9Z',
  }).action(
    answering(context, async (id: string) => {
      const { requests } = await context.clients();
      const { request: kept, replays } = await requests.showRequest({ requestId: id });
      const row = toRow(present(kept));
      const later = replays.map(({ requestId, receivedAt }) => ({
        id: requestId,
        received_at: toIsoTime(receivedAt),
      }));
      return {
        json: toJson({ ...row, replays: later }),
        text: [formatFields(row), ...formatReplays(later)].join('\n'),
      } satisfies Answer;
    }),
  );
}

function formatReplays(replays: readonly Row[]): readonly string[] {
  if (replays.length === 0) return [];
  return ['Given the same answer later:\n', formatRows(replays, ['id', 'received_at'])];
}

function toRow(request: PublicRequest): Row {
  return {
    id: request.requestId,
    received_at: toIsoTime(request.receivedAt),
    method: request.method,
    path: request.path,
    route: request.route,
    // A caller that broke off was answered nothing.
    status: request.status || null,
    duration_ms: Number(request.durationUs) / 1_000,
    error_code: request.errorCode ?? null,
    agency_id: request.agencyId ?? null,
    mode: request.mode === Mode.UNSPECIFIED ? null : modeWord(request.mode),
    key_id: request.keyId ?? null,
    quote_id: request.quoteId ?? null,
    api_version: request.apiVersion,
    has_idempotency_key: request.hasIdempotencyKey,
    replay_of: request.replayOf ?? null,
    trace_id: request.traceId ?? null,
  };
}
