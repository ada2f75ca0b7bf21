import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveImport, SOURCES } from './sources.ts';

const EXPORT = /^export (?:declare )?(?:async )?(?:function|const|class|type) (\w+)/gm;
const FROM = /^(?:import|export)\s(?:type\s)?([^'"`;]*?)\sfrom\s'([^']+)'/gm;

test('every name that a file exports is imported by another', () => {
  const taken = new Set(SOURCES.flatMap(takenBy));
  const unused = SOURCES.flatMap(({ file, text }) =>
    [...text.matchAll(EXPORT)].map(([, name = '']) => `${file}: ${name}`),
  );
  assert.deepEqual(
    unused.filter((one) => !taken.has(one) && !taken.has(one.replace(/: .*/, ': *'))),
    [],
  );
});

/** `file: name` of everything that a file imports by name; `file: *` for all that another one exports. */
function takenBy({ file, text }: { file: string; text: string }): readonly string[] {
  return [...text.matchAll(FROM)].flatMap(([, clause = '', specifier = '']) => {
    const target = resolveImport(file, specifier);
    if (target === null) return [];
    if (clause.startsWith('*')) return [`${target}: *`];
    const names = clause.replace(/[{}]/g, '').split(',');
    return names.map((name) => `${target}: ${name.trim().replace(/^type /, '').replace(/ as .*/, '')}`);
  });
}
