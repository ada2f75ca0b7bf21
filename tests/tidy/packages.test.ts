import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, MANIFESTS, packageOf, readText, SOURCES, workspaceOf } from './sources.ts';

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
  const declared = (folder: string) => MANIFESTS.find((one) => one.folder === folder)?.dependencies ?? {};
  const undeclared = SOURCES.flatMap(({ file, imports }) => {
    const own = workspaceOf(file);
    const allowed = { ...declared(own), ...(isTest(file) ? { ...declared(''), ...declared('tests') } : {}) };
    return imports
      .map((specifier) => packageOf(specifier) ?? /^@pfq\/[^/]+/.exec(specifier)?.[0] ?? '')
      .filter((name) => name !== '' && !(name in allowed) && name !== nameOf(own))
      .map((name) => `${file} imports ${name}`);
  });
  assert.deepEqual(undeclared, []);
});

test('every workspace uses the packages that it declares', () => {
  const unused = MANIFESTS.filter(({ folder }) => folder !== '').flatMap(({ folder, dependencies }) => {
    const files = listFiles(`${folder}/**/*.{ts,mts,mjs}`, { generated: true }).filter(
      (file) => workspaceOf(file) === folder,
    );
    const text = files.map(readText).join('\n');
    const isNamed = (name: string) => text.includes(`'${name}'`) || text.includes(`'${name}/`);
    return Object.keys(dependencies)
      .filter((name) => !isNamed(name.replace('@types/', '')))
      .map((name) => `${folder}: ${name}`);
  });
  assert.deepEqual(unused, []);
});

function nameOf(folder: string): string {
  return MANIFESTS.find((one) => one.folder === folder)?.name ?? '';
}
