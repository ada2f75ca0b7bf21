import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AuditEntry, ListEntriesResponse } from '@pfq/proto/audit/v1/audit_pb';
import { Option, type Command } from 'commander';
import type { AuditedService } from '../clients.ts';
import { CommandFailure, describeFailure, present } from '../failure.ts';
import { flatten } from '../json.ts';
import { answerPage, toIsoTime, toJson, type Answer } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';
import { MOST_LISTED, parseAgencyId, parseLimit, parseMoment, USUALLY_LISTED } from '../words.ts';

const SERVICES: readonly AuditedService[] = ['gateway', 'pricing', 'application', 'notification'];
const LIST_COLUMNS = ['at', 'service', 'actor', 'action', 'target', 'details'];

type Wanted = {
  agency?: string;
  target?: string;
  actor?: string;
  since?: Date;
  before?: Date;
  limit: number;
  service?: AuditedService;
};
type Change = { readonly service: AuditedService; readonly entry: AuditEntry };

export function addAuditCommands(program: Command, context: Context): void {
  const audit = addNoun(program, 'audit', 'who changed what, when');

  addVerb(audit, {
    usage: 'list',
    summary: 'list the changes of all services together, newest first',
    example: 'list --agency agy_0UzKdPq3aXb81Lm2RtWc9Z --since 2026-11-20',
  })
    .addOption(
      new Option('--agency <id>', 'only of an agency and of what belongs to it')
        .argParser(parseAgencyId)
        .conflicts('target'),
    )
    .option('--target <id>', 'only of what has this id or name')
    .option('--actor <name>', 'only by whoever goes by this name')
    .option('--since <time>', 'only from this UTC day or time on', parseMoment)
    .option('--before <time>', 'only before this UTC day or time', parseMoment)
    .option('--limit <number>', `how many at most, up to ${MOST_LISTED}`, parseLimit, USUALLY_LISTED)
    .addOption(new Option('--service <name>', 'only of one service').choices(SERVICES))
    .action(answering(context, (wanted: Wanted) => listChanges(context, wanted)));
}

/** A service that cannot be reached fails the command: a list without its changes would look like the whole. */
async function listChanges(
  context: Context,
  { agency, target, actor, since, before, limit, service }: Wanted,
): Promise<Answer> {
  const { audits } = await context.clients();
  const query = {
    limit,
    target: agency ?? target ?? '',
    actor: actor ?? '',
    ...(since && { since: timestampFromDate(since) }),
    ...(before && { before: timestampFromDate(before) }),
  };
  const asked = service === undefined ? SERVICES : [service];
  const lists = await Promise.all(
    asked.map(async (name) => {
      const listed = audits[name].listEntries(query).catch((error: unknown) => failWhole(error, { name, asked }));
      return toChanges(name, await listed);
    }),
  );
  const all = lists.flatMap(({ changes }) => changes).sort(byNewest);
  const hasMore = all.length > limit || lists.some((list) => list.hasMore);
  return answerChanges(all.slice(0, limit), hasMore);
}

function failWhole(error: unknown, { name, asked }: { name: AuditedService; asked: readonly string[] }): never {
  if (asked.length === 1) throw error;
  const line = `the changes of ${name} cannot be listed: ${describeFailure(error)}`;
  throw new CommandFailure(`${line} Those of another service alone: --service NAME.`, error);
}

function toChanges(service: AuditedService, { entries, hasMore }: ListEntriesResponse) {
  return { hasMore, changes: entries.map((entry): Change => ({ service, entry })) };
}

/** Those of one service and one moment stay as it has them. */
function byNewest(one: Change, other: Change): number {
  return timeOf(other) - timeOf(one);
}

function timeOf({ entry }: Change): number {
  return timestampDate(present(entry.at)).getTime();
}

function answerChanges(changes: readonly Change[], hasMore: boolean): Answer {
  const data = changes.map(({ service, entry: { entryId: id, at, actor, action, target, detailsJson } }) => {
    const details: unknown = JSON.parse(detailsJson);
    return { id, at: toIsoTime(at), service, actor, action, target, details };
  });
  const rows = data.map((change) => ({ ...change, details: formatDetails(change.details) }));
  const { text } = answerPage({ rows, columns: LIST_COLUMNS, hasMore, goOn: howToGoOn(changes) });
  return { json: toJson({ object: 'list', data, has_more: hasMore }), text };
}

/**
 * The millisecond of the oldest is asked for once more, because changes that were left out may have the same: an import makes
 * up to 500 at once. Where all that is told has the same, only a longer list gets beyond it.
 */
function howToGoOn(changes: readonly Change[]): string {
  const [newest = 0, oldest = 0] = [changes[0], changes.at(-1)].map((change) => change && timeOf(change));
  if (newest === oldest) return 'all of these are of one moment, so ask for more with --limit';
  return `go on with --before ${new Date(oldest + 1).toISOString()}`;
}

function formatDetails(details: unknown): string {
  return Object.entries(flatten(details))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
