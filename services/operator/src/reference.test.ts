import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { writeReference } from './reference.ts';
import { usePfq } from './testing/use-pfq.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/pfq.md');

const { pfq } = usePfq();

test('the page about the command says what its help says', () => {
  assert.equal(readFileSync(PAGE, 'utf8'), writeReference());
});

test('every example of the page is a command that is understood', async () => {
  const examples = [...writeReference().matchAll(/^ {4}pfq ((?:[^\n\\]|\\\n)+)$/gm)].map(([, words = '']) => words);
  assert.ok(examples.length > 20);
  for (const example of examples) {
    const { exitCode, errors } = await pfq(...wordsOf(example));
    assert.notEqual(exitCode, 2, `${example}: ${errors}`);
  }
});

/** As a shell reads them, without what it sends into a file. */
function wordsOf(example: string): string[] {
  const words = example.replace(/ > .*/, '').replaceAll('\\\n', '');
  return [...words.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
