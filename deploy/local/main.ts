import './end-with-parent.ts';
import path from 'node:path';
import { styleText } from 'node:util';
import { exampleRequest } from './example-request.ts';
import { chooseKafka } from './kafka-url.ts';
import { chooseLocalFolder } from './local-folder.ts';
import { choosePorts } from './ports.ts';
import { Problem } from './problem.ts';
import { createStack, type Stack, type StackFile } from './stack.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BE_THE_INSURED =
  'Be the insured: open the hosted page, choose, say that you are interested, and find the email to the broker on the mail page.';
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
    if (file !== 'stop') printReady(file, { elapsedMs: performance.now() - startedMs, here: hereOf(process.env) });
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

/** What a command needs in front of it to find a stack whose data is not where it is looked for by itself. */
function hereOf({ PFQ_LOCAL_DIR: folder }: NodeJS.ProcessEnv): string {
  return folder ? `PFQ_LOCAL_DIR='${folder}' ` : '';
}

/** `here` goes before commands, so that they are about this stack. */
function printReady(file: StackFile, { elapsedMs, here }: { elapsedMs: number; here: string }): void {
  const body = JSON.stringify(exampleRequest(new Date()));
  const demo = file.demo_quotes.live;
  const lines = [
    `ready in ${(elapsedMs / 1000).toFixed(1)} s`,
    '',
    `  API          ${file.gateway_url}/v1`,
    `  docs         ${file.docs_url}`,
    ...(demo ? [`  hosted page  ${demo.hosted_url}`] : []),
    `  mail page    ${file.mail_url}`,
    `  PostgreSQL   ${file.postgres_url}`,
    `  test key     ${file.keys.test}`,
    `  operator     ${here}npx pfq broker list --agency ${file.agency_id}`,
    '',
    ...(demo ? [BE_THE_INSURED, ''] : []),
    'Price a deal:',
    '',
    `  curl -sS ${file.gateway_url}/v1/quotes -H 'Authorization: Bearer ${file.keys.test}' \\`,
    `    -H 'Content-Type: application/json' -d '${body}'`,
    '',
    'List the applications of the demo agency, which live keys alone can see:',
    '',
    `  curl -sS '${file.gateway_url}/v1/applications?limit=3' -H 'Authorization: Bearer ${file.keys.live}'`,
    '',
    `Ctrl-C stops everything. The data stays; \`${here}npm run reset\` removes it.`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
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
