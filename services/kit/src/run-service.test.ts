import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { until } from '../../../tests/support/until.ts';

type LogLine = { readonly level: string; readonly msg: string; readonly err?: { readonly stack: string } };

const SECONDS = 15_000;

/** What every program has: `healthy` for a service without dependencies, `say` for the log, `told` for our signal to go on. */
const PRELUDE = `
  const { runService } = await import(kit + 'run-service.ts');
  const { watchHealth } = await import(kit + 'health.ts');
  const { createLogger } = await import(kit + 'log.ts');
  const { serviceSettings: { listenHost, logLevel, logFormat } } = await import(kit + 'service-settings.ts');
  const say = (msg) => createLogger({ service: 'program', level: 'info', format: 'json' }).info(msg);
  const healthy = () => watchHealth({ dependencies: [], logger: { info() {}, warn() {} } });
  const told = () => new Promise((resolve) => process.once('SIGUSR2', resolve));
  const settings = { listenHost, logLevel, logFormat };
  const run = (start) => runService(process, { service: 'program', settings, start });
  setInterval(() => {}, 1000);`;

/** A process whose main program is the given lines. */
function startProcess(t: TestContext, main: string, variables: Readonly<Record<string, string>> = {}) {
  const kit = JSON.stringify(new URL('./', import.meta.url).href);
  const env = { LISTEN_HOST: '127.0.0.1', OPERATIONS_PORT: '0', SHUTDOWN_DELAY_MS: '0', ...variables };
  const program = `const kit = ${kit};${PRELUDE}\n${main}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines: (LogLine & Readonly<Record<string, unknown>>)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const has = (message: string) => lines.some(({ msg }) => msg === message);
  return {
    child,
    lines,
    messages: () => lines.map(({ msg }) => msg),
    /** Waits until a line with this message was written. */
    heard: (message: string) => until(() => has(message), SECONDS),
    /** The status and body of one of its probes. */
    probe: async (path: string) => {
      const port = lines.find(({ msg }) => msg === 'starting')?.['operations_port'];
      const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`);
      return { status: answer.status, body: await answer.text() };
    },
    exitCode: once(child, 'close').then(([code]: unknown[]) => code),
    printed: text(child.stderr),
  };
}

const SERVING = `await run(async () => ({ health: await healthy(), stop: async () => say('stop') }));`;

describe('the life of a service process', { concurrency: 3 }, () => {
  for (const [wrong, expected] of [
    [
      { OPERATIONS_PORT: 'x', LOG_LEVEL: 'loud' },
      /^config: LOG_LEVEL must be .*\nconfig: OPERATIONS_PORT must be .*\n$/,
    ],
    [
      { SHUTDOWN_DELAY_MS: '2000', SHUTDOWN_TIMEOUT_MS: '2000' },
      /^config: SHUTDOWN_DELAY_MS must be less than SHUTDOWN_TIMEOUT_MS.*\n$/,
    ],
  ] as const) {
    test(`wrong settings end the process with 78 and are printed a line each: ${Object.keys(wrong).join(', ')}`, async (t) => {
      const { exitCode, printed, lines } = startProcess(t, SERVING, wrong);
      assert.equal(await exitCode, 78);
      assert.match(await printed, expected);
      assert.deepEqual(lines, []);
    });
  }

  for (const [delayMs, timeoutMs, isTold] of [
    ['0', '17999', true],
    ['0', '18000', false],
    ['7000', '25000', false],
    ['7001', '25000', true],
  ] as const) {
    test(`a delay of ${delayMs} ms in ${timeoutMs} ms is ${isTold ? 'told to be too long' : 'taken'}`, async (t) => {
      const variables = { SHUTDOWN_DELAY_MS: delayMs, SHUTDOWN_TIMEOUT_MS: timeoutMs };
      const { heard, lines } = startProcess(t, SERVING, variables);
      await heard('started');
      const warning = lines.find(({ msg }) => msg.startsWith('SHUTDOWN_TIMEOUT_MS may cut off work'));
      assert.equal(warning?.['longest_stop_ms'], isTold ? 18_000 + Number(delayMs) : undefined);
    });
  }

  test('any other failure to start is one fatal line with its causes, and ends the process with 1', async (t) => {
    const { exitCode, lines, messages } = startProcess(
      t,
      `await run(async () => { throw new Error('no port', { cause: new Error('EADDRINUSE') }); });`,
    );
    assert.equal(await exitCode, 1);
    assert.deepEqual(messages(), ['starting', 'cannot start']);
    assert.equal(lines[1]?.level, 'fatal');
    assert.match(lines[1]?.err?.stack ?? '', /^Error: no port[^]*caused by: Error: EADDRINUSE/);
  });

  test('a signal stops the service, and then the process ends with 0', async (t) => {
    const { child, exitCode, heard, messages } = startProcess(t, SERVING);
    await heard('started');
    child.kill('SIGINT');
    assert.equal(await exitCode, 0);
    assert.deepEqual(messages(), ['starting', 'started', 'ready', 'stopping', 'stop', 'stopped']);
  });

  test('probes and metrics tell how it is from before the start until after the stop, whatever signals follow the first', async (t) => {
    const { child, exitCode, heard, probe, messages, lines } = startProcess(
      t,
      `await run(async () => {
         await told();
         return { health: await healthy(), stop: async () => { say('stop'); await told(); } };
       });`,
      { SHUTDOWN_DELAY_MS: '600' },
    );
    const statuses = () =>
      Promise.all(['/livez', '/startupz', '/readyz'].map(async (path) => (await probe(path)).status));
    await heard('starting');
    assert.deepEqual(await statuses(), [200, 503, 503]);
    assert.match((await probe('/metrics')).body, /^pfq_ready(?:\{.*\})? 0$/m);
    child.kill('SIGUSR2');
    await heard('started');
    assert.deepEqual(await statuses(), [200, 200, 200]);
    assert.match((await probe('/metrics')).body, /^pfq_ready(?:\{.*\})? 1$/m);
    child.kill('SIGTERM');
    await heard('stopping');
    for (const signal of ['SIGTERM', 'SIGINT'] as const) child.kill(signal);
    assert.deepEqual(await statuses(), [200, 200, 503]);
    assert.match((await probe('/readyz')).body, /"state":"draining"/);
    await heard('stop');
    assert.deepEqual(await statuses(), [200, 200, 503]);
    child.kill('SIGUSR2');
    assert.equal(await exitCode, 0);
    assert.deepEqual(messages(), ['starting', 'started', 'ready', 'stopping', 'stop', 'stopped']);
    const [, , , stopping, stop] = lines.map(({ time }) => Date.parse(String(time)));
    assert.ok(Number(stop) - Number(stopping) >= 590, 'it serves on for the delay');
  });

  test('a start that waits says what for to probes and in the log, and ready is said where it is true', async (t) => {
    const { child, exitCode, heard, probe, messages } = startProcess(
      t,
      `let answers = false;
       const check = async () => { if (!answers) throw new Error('connect ECONNREFUSED'); };
       process.on('SIGUSR2', () => (answers = !answers));
       const dependency = { name: 'postgresql', isVital: true, everyMs: 20, check };
       const { untilAnswering } = await import(kit + 'health-wait.ts');
       await run(async () => {
         const logger = createLogger({ service: 'program', level: 'error', format: 'json' });
         await untilAnswering({ ...dependency, logger });
         return { health: await watchHealth({ dependencies: [dependency], logger }), stop: async () => {} };
       });`,
    );
    await heard('starting');
    const shown = async () => (await probe('/readyz')).body;
    await until(async () => (await shown()).includes('connect ECONNREFUSED'), SECONDS);
    assert.match(await shown(), /"state":"starting","dependencies":\[\{"name":"postgresql","vital":true,"up":false,/);
    assert.deepEqual(messages(), ['starting']);
    child.kill('SIGUSR2');
    await heard('ready');
    child.kill('SIGUSR2');
    await heard('not ready');
    child.kill('SIGTERM');
    assert.equal(await exitCode, 0);
    const told = ['starting', 'started', 'ready', 'not ready', 'stopping', 'stopped'];
    assert.deepEqual(messages(), told);
  });

  test('a signal that comes while starting ends the process at once with 0', async (t) => {
    const { child, exitCode, heard, messages } = startProcess(t, `await run(() => new Promise(() => {}));`);
    await heard('starting');
    child.kill('SIGTERM');
    assert.equal(await exitCode, 0);
    assert.deepEqual(messages(), ['starting', 'told to stop while starting']);
  });

  test('a stop that fails is one fatal line with its causes, and ends the process with 1', async (t) => {
    const { child, exitCode, heard, lines } = startProcess(
      t,
      `await run(async () => ({
         health: await healthy(),
         stop: async () => { throw new Error('cannot drain', { cause: new Error('pool ended twice') }); },
       }));`,
    );
    await heard('started');
    child.kill('SIGTERM');
    assert.equal(await exitCode, 1);
    assert.equal(lines.at(-1)?.msg, 'cannot stop');
    assert.match(lines.at(-1)?.err?.stack ?? '', /^Error: cannot drain[^]*pool ended twice/);
  });

  test('what is not stopped in time is cut off, and the log says so', async (t) => {
    const { child, exitCode, heard, lines } = startProcess(
      t,
      `await run(async () => ({ health: await healthy(), stop: () => new Promise(() => {}) }));`,
      { SHUTDOWN_TIMEOUT_MS: '1000' },
    );
    await heard('started');
    child.kill('SIGTERM');
    assert.equal(await exitCode, 1);
    assert.equal(lines.at(-1)?.msg, 'not stopped in time: what was left is cut off');
    assert.equal(lines.at(-1)?.level, 'fatal');
  });

  for (const [what, bug] of [
    [
      'an exception that nobody catches',
      `setImmediate(() => { throw new Error('pfq_live_canary', { cause: new Error('x') }); })`,
    ],
    ['a rejection that nobody handles', `void Promise.reject(new Error('pfq_live_canary', { cause: new Error('x') }))`],
  ] as const) {
    test(`${what} is one fatal line with its causes, redacted, and ends the process with 1`, async (t) => {
      const { exitCode, lines, printed } = startProcess(t, `await run(async () => { ${bug}; await told(); });`);
      assert.equal(await exitCode, 1);
      const fatal = lines.filter(({ level }) => level === 'fatal');
      assert.deepEqual(
        fatal.map(({ msg }) => msg),
        ['a bug ends the process'],
      );
      assert.match(fatal[0]?.err?.stack ?? '', /^Error: pfq_live_\[redacted\][^]*caused by: Error: x/);
      assert.equal(await printed, '');
    });
  }
});
