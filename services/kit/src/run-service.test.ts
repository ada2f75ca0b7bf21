import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

/** A process whose main program is the given lines; `heard` gives what it says, line by line. */
function startProcess(t: TestContext, main: string) {
  const kit = JSON.stringify(new URL('./', import.meta.url).href);
  const script = `const { runService } = await import(${kit} + 'run-service.ts');
    const { ConfigError } = await import(${kit} + 'config.ts');
    const say = (line) => process.stdout.write(line + '\\n');
    setInterval(() => {}, 1000);\n${main}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    heard: async () => (await lines.next()).value,
    exitCode: once(child, 'exit').then(([code]: unknown[]) => code),
    printed: text(child.stderr),
  };
}

test('problems of the configuration end the process with 78 and are printed a line each', async (t) => {
  const { exitCode, printed } = startProcess(
    t,
    `await runService(process, () => { throw new ConfigError(['PORT must be a port', 'TOKEN is not set']); });`,
  );
  assert.equal(await exitCode, 78);
  assert.equal(await printed, 'config: PORT must be a port\nconfig: TOKEN is not set\n');
});

test('any other failure to start ends the process with 1 and is printed with its causes', async (t) => {
  const { exitCode, printed } = startProcess(
    t,
    `await runService(process, async () => { throw new Error('no port', { cause: new Error('EADDRINUSE') }); });`,
  );
  assert.equal(await exitCode, 1);
  assert.match(await printed, /^cannot start: Error: no port[^]*cause[^]*EADDRINUSE/);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} stops the service, and then the process ends with 0`, async (t) => {
    const { child, exitCode, heard } = startProcess(
      t,
      `await runService(process, async () => ({ stop: async () => say('stopped') })); say('started');`,
    );
    assert.equal(await heard(), 'started');
    child.kill(signal);
    assert.equal(await heard(), 'stopped');
    assert.equal(await exitCode, 0);
  });
}

test('more signals while stopping neither cut the stop short nor begin a second one', async (t) => {
  const { child, exitCode, heard } = startProcess(
    t,
    `let finish;
     process.on('SIGINT', () => finish());
     await runService(process, async () => ({
       stop: () => { say('stopping'); return new Promise((resolve) => { finish = resolve; }); },
     }));
     process.on('SIGTERM', () => say('signal'));
     say('started');`,
  );
  assert.equal(await heard(), 'started');
  child.kill('SIGTERM');
  assert.deepEqual(new Set([await heard(), await heard()]), new Set(['signal', 'stopping']));
  child.kill('SIGTERM');
  assert.equal(await heard(), 'signal');
  child.kill('SIGINT');
  assert.equal(await exitCode, 0);
  assert.equal(await heard(), undefined);
});

test('a signal that comes while starting stops the service as soon as it has started', async (t) => {
  const { child, exitCode, heard } = startProcess(
    t,
    `await runService(process, () => new Promise((resolve) => {
       process.on('SIGTERM', () => resolve({ stop: async () => say('stopped') }));
       say('starting');
     }));`,
  );
  assert.equal(await heard(), 'starting');
  child.kill('SIGTERM');
  assert.equal(await heard(), 'stopped');
  assert.equal(await exitCode, 0);
});

test('a stop that fails ends the process with 1 and its causes are printed', async (t) => {
  const { child, exitCode, heard, printed } = startProcess(
    t,
    `await runService(process, async () => ({
       stop: async () => { throw new Error('cannot drain', { cause: new Error('pool ended twice') }); },
     }));
     say('started');`,
  );
  assert.equal(await heard(), 'started');
  child.kill('SIGTERM');
  assert.equal(await exitCode, 1);
  assert.match(await printed, /^cannot stop: Error: cannot drain[^]*pool ended twice/);
});
