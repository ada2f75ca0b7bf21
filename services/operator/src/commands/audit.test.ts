import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuditEntrySchema } from '@pfq/proto/audit/v1/audit_pb';
import assert from 'node:assert/strict';
import test from 'node:test';
import type { AuditedService } from '../clients.ts';
import { usePfq } from '../testing/use-pfq.ts';

const AGENCY = 'agy_0000000000000000000001';

const { fake, pfq } = usePfq();

type Said = { readonly at: string; readonly actor?: string; readonly target?: string; readonly details?: object };

/** Lays a change down as the newest of its service. */
function layDown(service: AuditedService, { at, actor = 'dana', target = 'x', details = {} }: Said): void {
  const entries = fake().state.audit[service];
  const time = timestampFromDate(new Date(at));
  const said = { at: time, actor, target, action: `${service}.change`, detailsJson: JSON.stringify(details) };
  entries.unshift(create(AuditEntrySchema, { entryId: String(entries.length + 1), ...said }));
}

async function list(...args: string[]) {
  const { exitCode, output, errors } = await pfq('audit', 'list', ...args, '--json');
  assert.deepEqual([exitCode, errors], [0, '']);
  const answer: { data: { service: string; id: string }[]; has_more: boolean } = JSON.parse(output);
  return { ...answer, names: answer.data.map(({ service, id }) => `${service} ${id}`) };
}

test('the changes of all services are one list, newest first, each with its service and its details', async () => {
  layDown('gateway', { at: '2026-11-20T09:00:00.000Z', target: AGENCY, details: { live_enabled: true } });
  layDown('gateway', { at: '2026-11-20T12:00:00.000Z' });
  layDown('pricing', { at: '2026-11-20T11:00:00.000Z' });
  layDown('application', { at: '2026-11-20T10:00:00.000Z' });
  layDown('notification', { at: '2026-11-20T13:00:00.000Z', actor: 'eli' });
  const { names, data, has_more } = await list();
  assert.deepEqual(names, ['notification 1', 'gateway 2', 'pricing 1', 'application 1', 'gateway 1']);
  assert.equal(has_more, false);
  assert.deepEqual(data.at(-1), {
    id: '1',
    at: '2026-11-20T09:00:00.000Z',
    service: 'gateway',
    actor: 'dana',
    action: 'gateway.change',
    target: AGENCY,
    details: { live_enabled: true },
  });
  const { output } = await pfq('audit', 'list');
  assert.match(output, /^at +service +actor +action +target +details\n/);
  assert.match(output, /^2026-11-20T09:00:00\.000Z +gateway +dana +gateway\.change +agy_\d+ +live_enabled=true$/m);
});

test('changes are narrowed to a target or an agency, an actor, a time and a service', async () => {
  layDown('gateway', { at: '2026-11-20T09:00:00.000Z', target: AGENCY });
  layDown('gateway', { at: '2026-11-21T09:00:00.000Z', actor: 'eli' });
  layDown('pricing', { at: '2026-11-22T09:00:00.000Z', actor: 'eli', target: 'settings 2' });
  for (const [args, expected] of [
    [['--agency', AGENCY], ['gateway 1']],
    [['--target', 'settings 2'], ['pricing 1']],
    [
      ['--actor', 'eli'],
      ['pricing 1', 'gateway 2'],
    ],
    [['--since', '2026-11-22'], ['pricing 1']],
    [['--since', '2026-11-21T09:00Z', '--service', 'gateway'], ['gateway 2']],
    [['--since', '2026-11-21T09:00:00.001Z', '--service', 'gateway'], []],
    [['--before', '2026-11-21'], ['gateway 1']],
    [['--before', '2026-11-22T09:00Z', '--since', '2026-11-21T09:00Z'], ['gateway 2']],
    [['--before', '2026-11-20T09:00:00.000Z'], []],
  ] as const) {
    assert.deepEqual((await list(...args)).names, expected, args.join(' '));
  }
});

test('no more are listed than are asked for, the newest of all, and it is said that there are more', async () => {
  for (const hour of ['09', '11']) layDown('gateway', { at: `2026-11-20T${hour}:00:00.000Z` });
  for (const hour of ['10', '12']) layDown('pricing', { at: `2026-11-20T${hour}:00:00.000Z` });
  const three = await list('--limit', '3');
  assert.deepEqual([three.names, three.has_more], [['pricing 2', 'gateway 2', 'pricing 1'], true]);
  assert.equal((await list('--limit', '4')).has_more, false);
  assert.equal((await list('--limit', '1', '--service', 'gateway')).has_more, true);
});

test('what is behind an import is reached by going on as the answer says, and no change is left out', async () => {
  layDown('gateway', { at: '2026-11-20T08:00:00.000Z', target: 'key_1' });
  layDown('pricing', { at: '2026-11-20T08:00:00.000Z' });
  for (const second of ['01', '02', '03']) {
    for (let change = 0; change < 3; change += 1) layDown('application', { at: `2026-11-20T09:00:${second}.500Z` });
  }
  const seen = new Set<string>();
  for (let before: readonly string[] = []; ;) {
    const asked = ['--limit', '4', ...before];
    const { names, has_more } = await list(...asked);
    for (const name of names) seen.add(name);
    if (!has_more) break;
    const [, time = ''] = / --before (\S+Z)\.\n$/.exec((await pfq('audit', 'list', ...asked)).output) ?? [];
    assert.notDeepEqual(before, ['--before', time]);
    before = ['--before', time];
  }
  assert.equal(seen.size, 11);
  assert.ok(seen.has('gateway 1'));
});

test('where all that is told is of one moment, a longer list is what gets beyond it', async () => {
  for (let change = 0; change < 3; change += 1) layDown('application', { at: '2026-11-20T09:00:00.500Z' });
  const { output } = await pfq('audit', 'list', '--limit', '2');
  assert.match(output, /\n\nThere are more: all of these are of one moment, so ask for more with --limit\.\n$/);
});

test('a service that cannot be reached fails the list, which goes on without it only where another is named', async () => {
  layDown('gateway', { at: '2026-11-20T09:00:00.000Z' });
  await fake().stopService('pricing');
  const { exitCode, output, errors } = await pfq('audit', 'list');
  assert.deepEqual([exitCode, output], [1, '']);
  assert.match(
    errors,
    /^pfq: the changes of pricing cannot be listed: pricing cannot be reached at grpc:[^\n]+\? Those of another service alone: --service NAME\. \(request req_\w+\)\n$/,
  );
  assert.deepEqual((await list('--service', 'gateway')).names, ['gateway 1']);
});
