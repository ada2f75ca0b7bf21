import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveImport, SOURCES, type Source } from './sources.ts';

const EXPORT = /^export (?:async )?(function|const|class|type) (\w+)/gm;
const FROM = /^(?:import|export)\s(?:type\s)?([^'"`;]*?)\sfrom\s+'([^']+)'/gm;

test('every name that a file exports is imported by another, or a type that its other exports are made of', () => {
  const taken = new Set(SOURCES.flatMap(takenBy));
  const unused = SOURCES.flatMap(exportsOf).filter(
    ({ file, name }) => !taken.has(`${file}: ${name}`) && !taken.has(`${file}: *`),
  );
  assert.deepEqual(
    unused.map(({ file, name }) => `${file}: ${name}`),
    [],
  );
});

function exportsOf({ file, text }: Source): readonly { readonly file: string; readonly name: string }[] {
  if (/\.d\.m?ts$/.test(file)) return [];
  return [...text.matchAll(EXPORT)].flatMap(([, kind, name = '']) => {
    const isPartOfOthers = kind === 'type' && [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
    return isPartOfOthers ? [] : [{ file, name }];
  });
}

/** `file: name` of everything that a file takes by name; `file: *` where it takes all that the other exports. */
function takenBy({ file, text }: Source): readonly string[] {
  return [...text.matchAll(FROM)].flatMap(([, clause = '', specifier = '']) => {
    const target = resolveImport(file, specifier);
    if (clause.startsWith('*')) return [`${target}: *`];
    const names = clause.replace(/[{}]/g, '').split(',');
    return names.map(
      (name) =>
        `${target}: ${name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, '')}`,
    );
  });
}
