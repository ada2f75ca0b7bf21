import './end-with-parent.ts';
import path from 'node:path';
import { styleText } from 'node:util';
import { chooseKafka } from './kafka-url.ts';
import { chooseLocalFolder } from './local-folder.ts';
import { choosePorts } from './ports.ts';
import { Problem } from './problem.ts';
import { createStack, type Stack } from './stack.ts';
import { whereToLook } from './where-to-look.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NAME_WIDTH = 'notification'.length;

/** Runs the stack until a signal, or the loss of the terminal, ends it. A second signal ends it at once. */
async function runStack(stack: Stack): Promise<void> {
  const stopRequested = requestOfStop(() => {
    stack.kill();
    process.exit(130);
  });
  const startedMs = performance.now();
  const started = stack.start();
  try {
    const file = await Promise.race([started, stopRequested]);
    if (file !== 'stop') {
      const lines = whereToLook(file, { elapsedMs: performance.now() - startedMs, environment: process.env });
      process.stdout.write(`\n${lines.join('\n')}\n\n`);
    }
    await stopRequested;
    tell('pfq', 'stopping; once more ends everything at once');
  } finally {
    await stack.stop();
    await started.catch(() => {});
  }
  tell('pfq', 'stopped');
}

function requestOfStop(again: () => void): Promise<'stop'> {
  return new Promise((resolve) => {
    let isRequested = false;
    const request = () => {
      if (isRequested) again();
      isRequested = true;
      resolve('stop');
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
    process.stdout.once('error', request);
  });
}

function tell(name: string, line: string): void {
  const style = name === 'pfq' ? 'bold' : 'dim';
  process.stdout.write(`${styleText(style, `${name.padEnd(NAME_WIDTH)} |`)} ${line}\n`);
}

/** A Problem is told in its one line; anything else is a bug and shows where it arose. */
function explain(error: unknown): void {
  const line = error instanceof Problem ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`pfq: ${line}\n`);
}

try {
  const ports = choosePorts(process.env);
  const folder = chooseLocalFolder(process.env, ROOT);
  const kafkaUrl = chooseKafka(process.env);
  await runStack(createStack({ root: ROOT, folder, ports, kafkaUrl, environment: process.env, tell }));
} catch (error) {
  process.exitCode = 1;
  explain(error);
}
