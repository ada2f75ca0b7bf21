import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import {
  GENERATED,
  isTest,
  type Manifest,
  MANIFESTS,
  packageOf,
  readText,
  ROOT,
  SOURCES,
  workspaceOf,
} from './sources.ts';

test('every dependency is pinned to one exact version', () => {
  const loose = MANIFESTS.flatMap(({ folder, dependencies }) =>
    Object.entries(dependencies)
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${folder}: ${name} ${version}`),
  );
  assert.deepEqual(loose, []);
});

test('two workspaces never want different versions of one package', () => {
  const wanted = new Map<string, Set<string>>();
  for (const { dependencies } of MANIFESTS) {
    for (const [name, version] of Object.entries(dependencies)) {
      wanted.set(name, (wanted.get(name) ?? new Set()).add(version));
    }
  }
  assert.deepEqual(
    [...wanted].filter(([, versions]) => versions.size > 1).map(([name]) => name),
    [],
  );
});

test('the lockfile names no download address, so that any registry or mirror serves it', () => {
  assert.doesNotMatch(readText('package-lock.json'), /"resolved": "http/);
});

test('every workspace declares the packages that it imports; tests may use what the project or tests/ declare', () => {
  const undeclared = SOURCES.flatMap(({ file, imports }) => {
    const own = workspaceOf(file);
    const allowed = { ...declaredBy(own), ...(isTest(file) ? { ...declaredBy(''), ...declaredBy('tests') } : {}) };
    return imports
      .map((specifier) => packageOf(specifier) ?? /^@pfq\/[^/]+/.exec(specifier)?.[0] ?? '')
      .filter((name) => name !== '' && !(name in allowed) && name !== nameOf(own))
      .map((name) => `${file} imports ${name}`);
  });
  assert.deepEqual(undeclared, []);
});

test('every workspace uses the packages that it declares; tests/ declares them for the tests of others too', () => {
  const generated = globSync(`${GENERATED}/**/*.ts`, { cwd: ROOT });
  const files = [...SOURCES.map(({ file }) => file), ...generated].map((file) => ({ file, text: readText(file) }));
  const isServed = (file: string, { folder, name }: { folder: string; name: string }) =>
    workspaceOf(file) === folder || (folder === 'tests' && isTest(file) && !(name in declaredBy(workspaceOf(file))));
  const unused = MANIFESTS.filter(({ folder }) => folder !== '').flatMap(({ folder, dependencies }) =>
    Object.keys(dependencies)
      .filter((name) => !files.some(({ file, text }) => isServed(file, { folder, name }) && uses(text, name)))
      .map((name) => `${folder} declares ${name}`),
  );
  assert.deepEqual(unused, []);
});

/** A package is named where it is used: by an import, or by a template that fills in the platform. */
function uses(text: string, name: string): boolean {
  const family = /^(.+\/)(?:darwin|linux)-/.exec(name)?.[1];
  if (family !== undefined) return text.includes(`\`${family}\${`);
  const runtime = name.replace(/^@types\//, '');
  return text.includes(`'${runtime}'`) || text.includes(`'${runtime}/`);
}

function declaredBy(folder: string): Manifest['dependencies'] {
  return MANIFESTS.find((one) => one.folder === folder)?.dependencies ?? {};
}

function nameOf(folder: string): string {
  return MANIFESTS.find((one) => one.folder === folder)?.name ?? '';
}
