import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './coverage-table.ts';
import type { NamedTest } from './coverage-table.ts';

/** What a test file declares. */
export type Declared = {
  readonly text: string;
  /** Of tests and groups, as the source writes them. */
  readonly names: ReadonlySet<string>;
  /** Whether any of them is left out whatever the surroundings. */
  readonly skips: boolean;
};

const BACKTICK = '`';
const LITERAL = String.raw`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|${BACKTICK}((?:[^${BACKTICK}\\]|\\.)*)${BACKTICK}`;
const ANY_TEXT = new RegExp(LITERAL, 'g');
const FIRST_TEXT = new RegExp(String.raw`\b(?:test|it|describe)\(\s*(?:${LITERAL})`, 'g');
/** Names come from a loop or a wrapper: then any text of the file may be one. */
const HANDED_ON = /\b(?:test|it|describe)\(\s*[a-z]\w*\s*,/;
const SKIPPED = /\b(?:test|it|describe|t)\.(?:skip|todo)\(|\b(?:skip|todo): (?:true|['"`])/;

/** What is wrong with a test that was named; null where it is there and runs. */
export function problemOf({ file, name, near }: NamedTest): string | null {
  const declared = readTests(file);
  if (declared === null) return `there is no ${file}`;
  if (declared.skips) return `${file} skips a test`;
  if (!declared.names.has(name)) return `${file} has no test "${name}"`;
  return near === undefined || declared.text.includes(near) ? null : `${file} says nowhere "${near}"`;
}

export function testsIn(text: string): Declared {
  const found = [...text.matchAll(HANDED_ON.test(text) ? ANY_TEXT : FIRST_TEXT)];
  const names = found.map(([, ...forms]) => forms.join('').replaceAll(/\\(['"`])/g, '$1'));
  return { text, names: new Set(names), skips: SKIPPED.test(text) };
}

const read = new Map<string, Declared | null>();

function readTests(file: string): Declared | null {
  const whole = path.join(ROOT, file);
  const declared = read.get(file) ?? (existsSync(whole) ? testsIn(readFileSync(whole, 'utf8')) : null);
  read.set(file, declared);
  return declared;
}
