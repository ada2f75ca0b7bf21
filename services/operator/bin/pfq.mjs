#!/usr/bin/env node
// Starts the command on a Node that runs TypeScript: this one if it can, else the one that the project carries.
// Plain JavaScript without dependencies, because it runs on whatever Node there is.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_OF_THE_PROJECT = 24;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const main = path.join(root, 'services/operator/src/main.ts');
const packages = path.join(root, 'node_modules');
const carriedNode = path.join(packages, `node-${process.platform}-${process.arch}`, 'bin/node');

if (!existsSync(path.join(packages, 'commander'))) {
  refuse(`packages are missing: run \`npm install\` in ${root}, then try again.`);
} else if (Number.parseInt(process.versions.node, 10) >= NODE_OF_THE_PROJECT) {
  await import(main);
} else if (existsSync(carriedNode)) {
  runToEnd(carriedNode);
} else {
  refuse(`Node ${NODE_OF_THE_PROJECT} or newer is needed, this is ${process.versions.node}: install it, then try again.`);
}

function runToEnd(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches the child by itself; the rest is passed on, and its exit code passed back.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(`${node} cannot be run: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

function refuse(line) {
  process.stderr.write(`pfq: ${line}\n`);
  process.exitCode = 1;
}
