import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { newId } from '@pfq/kit/ids';
import { apiOf, errorOf } from '../support/api.ts';
import type { Answer, Api } from '../support/api.ts';
import { runCurlLine } from '../support/curl.ts';
import { exampleApplications } from '../support/example-applications.ts';
import type { ExampleApplication } from '../support/example-applications.ts';
import { sql } from '../support/sql.ts';
import type { RunningStack } from '../support/stack.ts';
import { useStack } from '../support/use-stack.ts';

type Line = ExampleApplication;
type Listed = Omit<Line, 'agency_id'>;
type Page = { readonly data: readonly Listed[]; readonly has_more: boolean; readonly next_cursor: string | null };
type Agency = { readonly id: string; readonly all: Api; readonly own: Api; readonly owner: string };

const COUNT = 30;
const LIMITS = Array.from({ length: 100 }, (_, index) => index + 1);

describe('applications of a running stack', () => {
  const { stack, api } = useStack();
  let agency: Agency;
  let lines: readonly Line[];

  before(async () => {
    agency = await makeAgency(stack());
    lines = linesFor(agency.id);
  });

  const load = async (sent: readonly unknown[]) => {
    const file = path.join(stack().folder, 'import.ndjson');
    writeFileSync(file, sent.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    return stack().pfq('applications', 'import', file, '--json');
  };
  const countStored = async () =>
    Number((await sql(stack(), 'application', 'SELECT count(*) FROM applications'))[0]?.['count']);

  it('are those of the demo agency at first, as the printed curl line shows to its live key', async () => {
    const [printed = ''] = /curl -sS '[^']+applications[^\n]+/.exec(stack().output()) ?? [];
    const { data, has_more } = pageOf(await runCurlLine(printed));
    assert.deepEqual([data.length, has_more], [3, true]);
    const listed = await walk(api('live'), '?limit=100');
    assert.deepEqual(listed, inOrder(exampleApplications()));
  });

  it('are imported, then listed exactly once and as they were sent, newest first, whatever the size of a page', async () => {
    const imported = await load(lines);
    assert.deepEqual([imported.code, imported.stderr], [0, '']);
    assert.deepEqual(JSON.parse(imported.stdout), { created: COUNT, updated: 0, unchanged: 0, lines: COUNT });
    const expected = inOrder(lines);
    assert.deepEqual(await walk(agency.all, ''), expected);
    for (const limit of LIMITS) {
      assert.deepEqual(idsOf(await walk(agency.all, `?limit=${limit}`)), idsOf(expected), `in pages of ${limit}`);
    }
  });

  it('are seen by a broker key where they are its own, in whatever case the address is written', async () => {
    const own = lines.filter(({ broker }) => broker.email === agency.owner.toLowerCase());
    assert.ok(own.length > 0 && own.length < COUNT);
    assert.deepEqual(idsOf(await walk(agency.own, '?limit=4')), idsOf(inOrder(own)));
  });

  it('are hidden from test keys, other agencies and other brokers, whose cursors are refused alike', async () => {
    const own = new Set(idsOf(await walk(agency.own, '')));
    const foreign = idsOf(lines).find((id) => !own.has(id));
    const [first = ''] = idsOf(lines);
    const stranger = await makeAgency(stack());
    assert.deepEqual(await walk(stranger.all, ''), []);
    assert.deepEqual(await walk(api('test'), ''), []);
    const refusals = [
      await stranger.all.ask('GET', `/v1/applications?starting_after=${first}`),
      await api('test').ask('GET', `/v1/applications?starting_after=${first}`),
      await agency.own.ask('GET', `/v1/applications?starting_after=${foreign}`),
      await agency.all.ask('GET', `/v1/applications?starting_after=app_${'z'.repeat(22)}`),
      await agency.all.ask('GET', '/v1/applications?starting_after=%00'),
      await agency.all.ask('GET', '/v1/applications?starting_after='),
    ];
    const told = refusals.map((refusal) => JSON.stringify({ ...errorOf(refusal), request_id: '' }));
    assert.deepEqual(
      refusals.map(({ status }) => status),
      refusals.map(() => 400),
    );
    assert.equal(new Set(told).size, 1);
    assert.equal(errorOf(refusals[0] ?? assert.fail()).code, 'INVALID_PAGINATION');
  });

  it('change nothing when they are imported again, and only what differs when something does', async () => {
    const again = await load(lines);
    assert.deepEqual(JSON.parse(again.stdout), { created: 0, updated: 0, unchanged: COUNT, lines: COUNT });
    const changed = lines.map((line, index) => (index === 7 ? { ...line, status: 'canceled' } : line));
    const update = await load(changed);
    assert.deepEqual(JSON.parse(update.stdout), { created: 0, updated: 1, unchanged: COUNT - 1, lines: COUNT });
    assert.deepEqual(await walk(agency.all, ''), inOrder(changed));
    await load(lines);
  });

  it('keep the order and spelling of their metadata, and are found by the id that they carry', async () => {
    const [first] = linesFor(agency.id);
    const metadata = '{"10":"ten","9":"nine","__proto__":"p","":"é","$a.b":"\\"\\\\"}';
    const reference = 'deal 7/é+&=';
    const line = JSON.stringify({ ...first, metadata: 'HERE', client_reference_id: reference }).replace(
      '"HERE"',
      metadata,
    );
    assert.equal((await load([line])).code, 0);
    const answer = await agency.all.ask('GET', `/v1/applications?client_reference_id=${encodeURIComponent(reference)}`);
    assert.deepEqual(idsOf(pageOf(answer).data), [first?.id]);
    assert.ok(answer.text.includes(`"metadata":${metadata}`), answer.text);
    assert.deepEqual(await walk(agency.all, '?client_reference_id=deal+7'), []);
  });

  it('are refused whole where a line is bad: each is told with its number, and nothing is stored', async () => {
    const stored = await countStored();
    const [one, two, three, four, five, six, seven] = linesFor(agency.id);
    const [known] = lines;
    const { code, stdout, stderr } = await load([
      one,
      { ...two, livemode: false },
      { ...three, status: 'sold' },
      { ...four, policies: [{ ...four?.policies[0], total: 100 }] },
      { ...known, agency_id: stack().file.agency_id },
      '',
      { ...five, agency_id: newId('agy_', Date.now()) },
      '{"id":',
      { ...six, requirements: { blocking: [{ code: 'LATE', description: 'x' }], outstanding: [] } },
      { ...seven, created_via: 'fax', portal_url: 'portal' },
    ]);
    assert.deepEqual([code, stdout], [1, '']);
    const [head = '', ...told] = stderr.trimEnd().split('\n');
    assert.match(head, /has bad lines\. Nothing was loaded\.$/);
    const expected = [
      /^ {2}line 2: livemode must be true/,
      /^ {2}line 3: status must be one of .*; "sold" was sent\.$/,
      /^ {2}line 4: policies\[0\]\.\w+ /,
      /^ {2}line 5: id is the id of an application of another agency\.$/,
      /^ {2}line 7: agency_id is not that of any agency\.$/,
      /^ {2}line 8: it is not valid JSON/,
      /^ {2}line 9: requirements\.blocking\[0\]\.code must be one of .*; "LATE" was sent\.$/,
      /^ {2}line 10: created_via must be one of api, portal, email; "fax" was sent\.$/,
      /^ {2}line 10: portal_url must be a web address/,
    ];
    for (const line of expected)
      assert.ok(
        told.some((said) => line.test(said)),
        `${line} in ${stderr}`,
      );
    assert.deepEqual(new Set(told.map((line) => Number(/\d+/.exec(line)))), new Set([2, 3, 4, 5, 7, 8, 9, 10]));
    assert.equal(await countStored(), stored);
  });

  it('are a 503 while their database is away, or their service does not answer, and there again by themselves', async () => {
    const statusNow = async () => (await agency.all.ask('GET', '/v1/applications?limit=1')).status;
    await sql(stack(), 'postgres', 'ALTER DATABASE application WITH ALLOW_CONNECTIONS false');
    await sql(
      stack(),
      'postgres',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'application'",
    );
    const refused = await agency.all.ask('GET', '/v1/applications');
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '30']);
    await sql(stack(), 'postgres', 'ALTER DATABASE application WITH ALLOW_CONNECTIONS true');
    assert.equal(await statusNow(), 200);

    const [, pid = ''] = /^application +\| process (\d+)$/m.exec(stack().output()) ?? [];
    process.kill(Number(pid), 'SIGSTOP');
    const silent = await statusNow();
    process.kill(Number(pid), 'SIGCONT');
    assert.equal(silent, 503);
    assert.equal(await statusNow(), 200);
  });
});

/** The first thirty examples under ids of their own. */
function linesFor(agencyId: string): readonly Line[] {
  return exampleApplications()
    .slice(0, COUNT)
    .map((line) => ({ ...line, agency_id: agencyId, id: newId('app_', Date.parse(line.created_at)) }));
}

/** A second agency with one of the examples' brokers, and live keys of both types. */
async function makeAgency({ pfq, file }: RunningStack): Promise<Agency> {
  const run = async (...args: readonly string[]) => JSON.parse((await pfq(...args, '--json')).stdout);
  const { id } = await run('agency', 'create', '--name', 'Elsewhere Insurance');
  await run('agency', 'switch', id, '--live', 'on');
  const owner = 'Avery.STONE@demo-agency.example';
  await run('broker', 'create', '--agency', id, '--email', owner, '--name', 'Avery Stone');
  const keyOf = async (type: string) => {
    const options = { agency: id, mode: 'live', type, broker: owner, scopes: 'applications:read', name: type };
    const { key } = await run(
      'key',
      'create',
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    );
    return apiOf(file.gateway_url, key);
  };
  return { id, owner, all: await keyOf('agency'), own: await keyOf('broker') };
}

/** Everything from the first page to the last. */
async function walk(api: Api, query: string): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  for (let after = ''; ;) {
    const { data, has_more, next_cursor } = pageOf(await api.ask('GET', `/v1/applications${query}${after}`));
    listed.push(...data);
    assert.equal(has_more, next_cursor !== null);
    if (next_cursor === null) return listed;
    assert.equal(next_cursor, data.at(-1)?.id);
    after = `${query === '' ? '?' : '&'}starting_after=${next_cursor}`;
  }
}

function pageOf({ status, text }: Answer): Page {
  if (status !== 200) throw new Error(`no list but ${status}: ${text}`);
  return JSON.parse(text);
}

/** As the list must have them: newest first, and of the same instant the greater id first. */
function inOrder(lines: readonly Line[]): readonly Listed[] {
  const key = ({ created_at, id }: Line) => created_at + id;
  return lines.toSorted((one, other) => (key(one) < key(other) ? 1 : -1)).map(withoutAgency);
}

function withoutAgency(line: Line): Listed {
  const { agency_id: _, ...application } = line;
  return application;
}

function idsOf(applications: readonly { readonly id: string }[]): readonly string[] {
  return applications.map(({ id }) => id);
}
