#!/usr/bin/env node
// Starts the command on a Node that runs TypeScript: this one if it can, else the one that the project carries.
// Plain JavaScript without dependencies, because it runs on whatever Node there is.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_OF_THE_PROJECT = 24;
const self = fileURLToPath(import.meta.url);
const root = path.resolve(path.dirname(self), '../../..');
const packages = path.join(root, 'node_modules');
const carriedNode = path.join(packages, `node-${process.platform}-${process.arch}`, 'bin/node');

if (!existsSync(path.join(packages, 'commander'))) {
  refuse(`packages are missing: run \`npm start\` in ${root}, then try again.`);
} else if (Number.parseInt(process.versions.node, 10) >= NODE_OF_THE_PROJECT) {
  // Compiled code kept from the last run makes a command start in half the time. Where it cannot be kept, it is not.
  modules.enableCompileCache(path.join(packages, '.cache/pfq'));
  await import('../src/main.ts');
} else if (existsSync(carriedNode)) {
  runAgainOn(carriedNode);
} else {
  refuse(
    `Node ${NODE_OF_THE_PROJECT} or newer is needed, this is ${process.versions.node}: install it, then try again.`,
  );
}

function runAgainOn(node) {
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: 'inherit' });
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
