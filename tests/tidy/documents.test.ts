import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isTest, listFiles, MANIFESTS, readText, ROOT, SOURCES } from './sources.ts';

/** What people read: documents, and the messages of programs. */
const documents = listFiles('{*.md,docs/**/*.md}');
const programs = SOURCES.filter(({ file }) => !isTest(file)).map(({ file }) => file);
const TOP_FOLDERS = 'deploy|docs|helm|proto|services|tests|\\.ci';

test('every npm script that a document or a message names exists', () => {
  const scripts = MANIFESTS.find(({ folder }) => folder === '')?.scripts ?? {};
  const named = find(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g, [...documents, ...programs]);
  assert.deepEqual(named.filter(({ words: [script = ''] }) => !(script in scripts)).map(toLine), []);
});

test('every pfq command that a document or a message names exists', async () => {
  const named = find(/(?:\bnpx |`|^\s*)pfq ([a-z]+) ([a-z]+)\b/gm, [...documents, ...programs]);
  const nouns = [...new Set(named.map(({ words: [noun = ''] }) => noun))];
  const verbs = new Map(await Promise.all(nouns.map(async (noun) => [noun, await verbsOf(noun)] as const)));
  const unknown = named.filter(({ words: [noun = '', verb = ''] }) => !verbs.get(noun)?.includes(verb));
  assert.deepEqual(unknown.map(toLine), []);
});

test('every file and folder that a document names exists', () => {
  const named = find(new RegExp(`\`((?:${TOP_FOLDERS})/[\\w./-]+)\``, 'g'), documents);
  const missing = named.filter(({ words: [entry = ''] }) => !existsSync(path.join(ROOT, entry)));
  assert.deepEqual(missing.map(toLine), []);
});

test('every link from one document to another leads somewhere', () => {
  const named = find(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g, documents);
  const missing = named.filter(
    ({ file, words: [target = ''] }) => !existsSync(path.join(ROOT, path.dirname(file), target)),
  );
  assert.deepEqual(missing.map(toLine), []);
});

type Mention = { readonly file: string; readonly words: readonly string[] };

function find(pattern: RegExp, files: readonly string[]): readonly Mention[] {
  return files.flatMap((file) =>
    [...readText(file).matchAll(pattern)].map((match) => ({
      file,
      words: match.slice(1).filter((word): word is string => word !== undefined),
    })),
  );
}

function toLine({ file, words }: Mention): string {
  return `${file} names ${words.join(' ')}`;
}

/** The verbs that the help of a noun lists, one at the start of each line; none where pfq has no such noun. */
async function verbsOf(noun: string): Promise<readonly string[]> {
  const pfq = path.join(ROOT, 'services/operator/bin/pfq.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [pfq, noun, '--help']);
  const isNoun = stdout.startsWith(`Usage: pfq ${noun} `);
  return isNoun ? [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, verb = '']) => verb) : [];
}
