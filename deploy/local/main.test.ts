import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startStack, stackFolder, type RunningStack } from '../../tests/support/stack.ts';
import { answers } from './http-health.ts';
import { identifyProcess, waitUntil } from './processes.ts';

const HERE = import.meta.dirname;
const TIME_TO_RECOVER_MS = 30_000;
const SERVICES = ['mail', 'pricing', 'notification', 'quote-store', 'application', 'hosted-page', 'gateway'];

describe('a running stack', () => {
  const { folder, remove } = stackFolder();
  let stack: RunningStack;
  before(async () => {
    stack = await startStack(folder);
  });
  after(async () => {
    await stack.stop();
    remove();
  });

  test('says in stack.json where everything is and what opens it, to this account alone', async () => {
    const file = path.join(folder, 'stack.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const urls = ['gateway_url', 'hosted_url', 'docs_url', 'mail_url', 'postgres_url', 'operations', 'operator'];
    assert.deepEqual(Object.keys(stack.file).sort(), [...urls, 'demo_quotes', 'agency_id', 'brokers', 'keys'].sort());
    assert.deepEqual(Object.keys(stack.file.operations).sort(), SERVICES.filter((name) => name !== 'mail').sort());
    assert.deepEqual(Object.keys(stack.file.keys).sort(), ['broker_live', 'broker_test', 'live', 'test']);
    assert.deepEqual(Object.keys(stack.file.demo_quotes).sort(), ['live', 'test']);
  });

  test('prints where to look: every page answers', async () => {
    const printed = stack.output().slice(stack.output().indexOf('ready in'));
    const urls = [...printed.matchAll(/https?:\S+/g)].map(([url]) => url);
    const pages = urls.filter((url) => !url.includes('/v1') && !url.includes(':4318'));
    assert.ok(pages.length >= 5 + 2 * Object.keys(stack.file.operations).length, printed);
    const refused = await Promise.all(pages.map(async (url) => ((await answers(url)) ? [] : [url])));
    assert.deepEqual(refused.flat(), []);
  });

  test('prints commands that work as they are printed', async () => {
    const here = `PFQ_LOCAL_DIR='${folder}' npx pfq `;
    const commands = [...stack.output().matchAll(/^ {2}(.*npx pfq .*)$/gm)].map(([, command = '']) => command);
    assert.ok(commands.some((command) => command.startsWith(`${here}request show req_`)));
    assert.ok(commands.some((command) => command.startsWith(`${here}audit list`)));
    const failed = await Promise.all(
      commands.map(async (command) => {
        const { code, stderr } = await stack.pfq(...command.slice(here.length).split(' '));
        return code === 0 ? [] : [`${command}: ${stderr}`];
      }),
    );
    assert.deepEqual(failed.flat(), []);
  });

  test('shows nothing of what PostgreSQL logs, because nothing ails it, and keeps it in a file', () => {
    assert.doesNotMatch(stack.output(), /^postgres +\|/m);
    assert.match(readFileSync(path.join(folder, 'postgres.log'), 'utf8'), /database system is ready/);
  });

  test('keeps a second stack and a reset off its data', async () => {
    assert.match(await failure('main.ts', { PFQ_LOCAL_DIR: folder }), /^pfq: a stack is running on .* already/);
    assert.match(await failure('reset.ts', { PFQ_LOCAL_DIR: folder }), /^pfq: a stack is running on .* stop it first/);
  });

  test('keeps its ports, which a stack on other data names in one line', async () => {
    const taken = new URL(stack.file.gateway_url).port;
    const line = await failure('main.ts', { PFQ_LOCAL_DIR: `${folder}-other`, PFQ_GATEWAY_PORT: taken });
    assert.match(
      line,
      new RegExp(`^pfq: port ${taken} is taken, and the public API wants it: .*PFQ_GATEWAY_PORT.*\n$`),
    );
  });

  test('starts a service that crashed again, and says so', async () => {
    const crashing = pidOf(stack, 'pricing');
    process.kill(crashing, 'SIGKILL');
    assert.ok(await waitUntil(() => stack.output().includes('pricing is running again'), TIME_TO_RECOVER_MS));
    assert.match(stack.output(), /pricing ended \(signal SIGKILL\): starting it again in 0\.5 s/);
  });
});

describe('a stack that ends', () => {
  const { folder, remove } = stackFolder();
  after(remove);

  test('leaves no process and no stack.json behind, when it is stopped', async () => {
    const stack = await startStack(folder);
    const pids = everyPid(stack);
    assert.equal(await stack.stop(), 0);
    assert.deepEqual(pids.filter(isAlive), []);
    assert.ok(!existsSync(path.join(folder, 'stack.json')));
  });

  test('leaves no process behind when it is killed, and the next start finds its data', async () => {
    const killed = await startStack(folder);
    const pids = everyPid(killed);
    await killed.stop('SIGKILL');
    const next = await startStack(folder);
    assert.deepEqual(pids.filter(isAlive), []);
    assert.equal(next.file.agency_id, killed.file.agency_id);
    await next.stop();
  });
});

/** The one line on standard error of a program that is to fail. */
async function failure(program: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const options = { env: { ...process.env, ...environment }, cwd: HERE };
  const failed = promisify(execFile)(process.execPath, [program], options);
  return failed.then(
    () => assert.fail(`${program} did not fail`),
    (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : ''),
  );
}

/** As printed when a service starts. */
function pidOf(stack: RunningStack, name: string): number {
  const [, pid = ''] = new RegExp(`^${name} +\\| process (\\d+)$`, 'm').exec(stack.output()) ?? [];
  return Number(pid);
}

function everyPid(stack: RunningStack): readonly number[] {
  const postgres = readFileSync(path.join(stack.folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0];
  const services = SERVICES.map((name) => pidOf(stack, name));
  return [...services, Number(postgres), stack.pid];
}

function isAlive(pid: number): boolean {
  return identifyProcess(pid) !== null;
}
