import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { isTest, listFiles, MANIFESTS, readText, resolveImport, SOURCES } from './sources.ts';

const MOST_LINES = 300;
/** The APR of any schedule: ours to offer and to hold against the Regulation, while the grid solves level loans faster. */
const PUBLIC_FUNCTIONS = new Set(['services/pricing/src/domain/apr.ts']);

test(`no hand-written file is longer than ${MOST_LINES} lines`, () => {
  const files = listFiles('{*.md,*.ts,.ci/run,{deploy,docs,helm,proto,services,tests}/**/*.{ts,mts,mjs,sql,proto,md}}');
  const long = files.filter((file) => readText(file).trimEnd().split('\n').length > MOST_LINES);
  assert.deepEqual(long, []);
});

test('every program file is reached from a service, a command, a script or a test of the whole', () => {
  const alive = reach(SOURCES.map(({ file }) => file).filter(isEntry));
  const dead = SOURCES.filter(({ file }) => !alive.has(file) && !isTest(file) && !/\.d\.m?ts$/.test(file));
  assert.deepEqual(
    dead.map(({ file }) => file),
    [],
  );
});

test('every helper of tests is used by one', () => {
  const alive = reach(SOURCES.map(({ file }) => file).filter((file) => isEntry(file) || file.endsWith('.test.ts')));
  const dead = SOURCES.filter(({ file }) => isTest(file) && !alive.has(file));
  assert.deepEqual(
    dead.map(({ file }) => file),
    [],
  );
});

/** What is started by name: services, commands, scripts, and tests of the whole. */
function isEntry(file: string): boolean {
  const commands = MANIFESTS.flatMap(({ folder, bin }) =>
    Object.values(bin).map((target) => path.join(folder, target)),
  );
  const scripts = MANIFESTS.flatMap((manifest) => Object.values(manifest.scripts).join(' ').split(' '));
  const isOffered = PUBLIC_FUNCTIONS.has(file);
  const isWhole = file.startsWith('tests/') && file.endsWith('.test.ts');
  const isProgram = file.endsWith('/src/main.ts') || /^services\/(?!kit\/)[^/]+\/src\/migrate\.ts$/.test(file);
  return isProgram || commands.includes(file) || scripts.includes(file) || isOffered || isWhole;
}

/** Files reached from others: by import, or because their path from the project's folder is written in them. */
function reach(entries: readonly string[]): ReadonlySet<string> {
  const alive = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const source = SOURCES.find((one) => one.file === file);
    if (source === undefined || alive.has(file)) continue;
    alive.add(file);
    for (const specifier of source.imports) waiting.push(resolveImport(file, specifier) ?? '');
    for (const [, named = ''] of source.text.matchAll(/'([a-z][\w./-]*\.(?:ts|mjs))'/g)) waiting.push(named);
  }
  return alive;
}
