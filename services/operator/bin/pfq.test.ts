import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { sampleApplication } from '../../../tests/support/sample-application.ts';
import { startFakeServices, type FakeServices } from '../src/testing/fake-services.ts';

const PFQ = path.join(import.meta.dirname, 'pfq.mjs');

let fake: FakeServices;
let folder: string;

before(async () => {
  fake = await startFakeServices();
  folder = await mkdtemp(path.join(tmpdir(), 'pfq-bin-'));
  const { gatewayUrl, pricingUrl, applicationUrl, notificationUrl, token } = fake.connection;
  await mkdir(path.join(folder, '.local'));
  const operator = {
    gateway_url: gatewayUrl,
    pricing_url: pricingUrl,
    application_url: applicationUrl,
    notification_url: notificationUrl,
    token,
  };
  await writeFile(path.join(folder, '.local/stack.json'), JSON.stringify({ operator }));
});

after(async () => {
  await fake.stop();
  await rm(folder, { recursive: true });
});

function* manyLines(count: number, changes: Readonly<Record<string, unknown>>): Generator<string> {
  for (let number = 0; number < count; number += 1) {
    yield `${JSON.stringify(sampleApplication({ ...changes, id: `app_${String(number).padStart(22, '0')}` }))}\n`;
  }
}

type Ended = { exitCode: number | string | null | undefined; output: string; errors: string };

function run(script: string, ...args: string[]): Promise<Ended> {
  return runWith({}, script, ...args);
}

function runWith(environment: Readonly<Record<string, string>>, script: string, ...args: string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], PFQ_OPERATOR_NAME: 'Zoë', ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: folder, env }, (error, output, errors) => {
      resolve({ exitCode: error ? error.code : 0, output, errors });
    });
  });
}

test('the command finds the local stack from its folder, acts under the given name and ends', async () => {
  const { exitCode, output } = await run(PFQ, 'agency', 'create', '--name', 'Lone Star', '--json');
  assert.equal(exitCode, 0);
  assert.match(output, /"id": "agy_0000000000000000000001"/);
  assert.deepEqual(fake.state.calls, [{ method: 'CreateAgency', actor: 'Zoë' }]);
});

test('50,000 applications are imported in a heap too small for them, and no progress goes into a pipe', async () => {
  const agency_id = fake.state.agencies[0]?.id;
  await writeFile(path.join(folder, 'many.ndjson'), manyLines(50_000, { agency_id }));
  const environment = { NODE_OPTIONS: '--max-old-space-size=80' };
  const { exitCode, output, errors } = await runWith(
    environment,
    PFQ,
    'applications',
    'import',
    'many.ndjson',
    '--json',
  );
  assert.deepEqual([exitCode, errors], [0, '']);
  assert.deepEqual(JSON.parse(output), { created: 50_000, updated: 0, unchanged: 0, lines: 50_000 });
});

test('failure exits 1 with one line, misuse exits 2', async () => {
  const failed = await run(PFQ, 'rates', 'show');
  assert.deepEqual([failed.exitCode, failed.output], [1, '']);
  assert.match(failed.errors, /^pfq: There is no such thing\. \(request req_\w{22}\)\n$/);
  assert.equal((await run(PFQ, 'agency')).exitCode, 2);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`an import that is told to stop by ${signal} ends after the batch under way and tells how far it came`, async () => {
    await writeFile(path.join(folder, 'many.ndjson'), manyLines(2_000, { agency_id: fake.state.agencies[0]?.id }));
    const child = spawn(process.execPath, [PFQ, 'applications', 'import', 'many.ndjson'], { cwd: folder });
    // Once: a second signal ends it on the spot.
    let isTold = false;
    fake.state.findProblems = (_, method) => {
      if (method === 'UpsertApplications' && !isTold) isTold = child.kill(signal);
      return [];
    };
    const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    const [, stored = ''] =
      /^pfq: stopped: (\d+) of 2000 applications are stored; import the file again for the rest\.\n$/.exec(errors) ??
      [];
    assert.equal(exitCode, 130, errors);
    assert.ok(Number(stored) >= 500 && Number(stored) < 2_000, errors);
  });
}

test('before packages are installed, one line says what to run', async () => {
  const copied = path.join(folder, 'project/services/operator/bin/pfq.mjs');
  await cp(PFQ, copied);
  const { exitCode, errors } = await run(copied, 'agency', 'list');
  assert.equal(exitCode, 1);
  assert.match(errors, /^pfq: packages are missing: run `npm start` in [^\n]+\n$/);
});

test('a reader that has read enough ends the command without a word', async () => {
  const child = spawn(process.execPath, [PFQ, '--help'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.deepEqual([exitCode, errors], [0, '']);
});
