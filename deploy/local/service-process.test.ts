import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { identifyProcess, waitUntil } from './processes.ts';
import { serviceProcess, type Service } from './service-process.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pfq-service-'));
const pidFile = path.join(folder, 'pid');
const entry = path.join(folder, 'main.ts');
after(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(pidFile, { force: true }));

const WRITE_PID = `import { writeFileSync } from 'node:fs';
  writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`;

describe('a service as a process of its own', () => {
  test('is up when it is healthy, tells its lines under its name, and ends when asked', async () => {
    const lines: string[] = [];
    const running = await start(
      `console.log('colour', process.env['COLOUR']); console.error('!'); ${WRITE_PID}`,
      lines,
    );
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await running.stop();
    assert.equal(await running.ended, 'signal SIGTERM');
    assert.equal(identifyProcess(pid), null);
    assert.deepEqual(lines.sort(), ['paint | !', 'paint | colour red', `paint | process ${pid}`]);
  });

  test('says when it ended by itself, and how', async () => {
    const running = await start(`${WRITE_PID} process.on('SIGUSR2', () => process.exit(3));`, []);
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGUSR2');
    assert.equal(await running.ended, 'exit code 3');
  });

  test('that ends before it is healthy is a problem, told in one line', async () => {
    await assert.rejects(start('process.exit(78);', []), {
      name: 'Problem',
      message: 'paint did not start (exit code 78): its own lines say why.',
    });
  });

  test('is not left behind when the start is given up', async () => {
    const stopping = new AbortController();
    const starting = part({ code: WRITE_PID, lines: [], isHealthy: async () => false }).start(stopping.signal);
    assert.ok(await waitUntil(() => existsSync(pidFile), 10_000));
    stopping.abort();
    await assert.rejects(starting, /did not start/);
    assert.equal(identifyProcess(Number(readFileSync(pidFile, 'utf8'))), null);
  });

  test('ends by itself when its supervisor is killed', async () => {
    const endWithParent = path.join(import.meta.dirname, 'end-with-parent.ts');
    writeFileSync(entry, WRITE_PID);
    const script = `require('child_process').spawn(process.execPath, process.argv.slice(1)); setInterval(() => {}, 1000);`;
    const above = spawn(process.execPath, ['-e', script, '--', '--import', endWithParent, entry]);
    assert.ok(await waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '', 10_000));
    above.kill('SIGKILL');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    assert.ok(await waitUntil(() => identifyProcess(pid) === null, 10_000));
  });
});

function start(code: string, lines: string[]) {
  const isHealthy = async () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '';
  return part({ code, lines, isHealthy }).start(new AbortController().signal);
}

function part({ code, lines, isHealthy }: { code: string; lines: string[]; isHealthy: Service['isHealthy'] }) {
  writeFileSync(entry, code);
  const service = { name: 'paint', entry, environment: { COLOUR: 'red' }, isHealthy };
  return serviceProcess(service, { inherited: process.env, tell: (name, line) => lines.push(`${name} | ${line}`) });
}
