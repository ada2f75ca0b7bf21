import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './coverage-table.ts';
import type { NamedTest } from './coverage-table.ts';

/** A test or a group: its name as the source writes it, and the tables of cases that the loops around it go through. */
export type DeclaredTest = { readonly name: string; readonly tables: readonly string[] };

/** What a test file declares, and whether any of it is left out whatever the surroundings. */
export type Declared = { readonly tests: readonly DeclaredTest[]; readonly skips: boolean };

const BACKTICK = '`';
const LITERAL = String.raw`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|${BACKTICK}((?:[^${BACKTICK}\\]|\\.)*)${BACKTICK}`;
const DECLARED = new RegExp(String.raw`\b(?:test|it|describe)\(\s*(?:${LITERAL}|([a-z]\w*)\s*,)`, 'g');
const LOOP = /^ *for \(const (?<each>.+?) of (?<table>[\s\S]+?)\)\s*(?:\{|(?:test|it|describe)\(.*)$/;
/** What a table is made of beside what it says itself: `CASES`, `Object.entries(CASES)`, `[...CASES]`. */
const NAMED_TABLE = /^(?:Object\.\w+\()?([A-Za-z_]\w*)|\.\.\.([A-Za-z_]\w*)/g;
const SKIPPED = /\b(?:test|it|describe|t)\.(?:skip|todo)\(|\b(?:skip|todo): (?:true|['"`])/;

/** What is wrong with a test that was named; null where it is there and runs. */
export function problemOf({ file, name, near }: NamedTest): string | null {
  const declared = readTests(file);
  if (declared === null) return `there is no ${file}`;
  if (declared.skips) return `${file} skips a test`;
  const tests = declared.tests.filter((test) => test.name === name);
  if (tests.length === 0) return `${file} has no test "${name}"`;
  if (near === undefined || tests.some(({ tables }) => tables.some((table) => table.includes(near)))) return null;
  return `${file} has no case "${near}" of "${name}"`;
}

/** Relies on the formatter: lines are indented below the one they belong to, and a statement ends at its own indentation. */
export function testsIn(text: string): Declared {
  const lines = text.split('\n');
  const tests = [...text.matchAll(DECLARED)].flatMap(({ index, 1: single, 2: double, 3: template, 4: variable }) => {
    const loops = loopsAround(lines, text.slice(0, index).split('\n').length - 1);
    const tables = loops.flatMap((loop) => loop.tables);
    if (variable === undefined) return [{ name: nameIn([single, double, template]), tables }];
    // A name that is handed on is what each case begins with.
    const naming = loops.filter(({ each }) => each.startsWith(`[${variable},`));
    return naming.flatMap((loop) => loop.tables.flatMap(headsIn)).map((name) => ({ name, tables }));
  });
  return { tests, skips: SKIPPED.test(text) };
}

type Loop = { readonly each: string; readonly tables: readonly string[] };

/** The loops that a line stands in, or begins. */
function loopsAround(lines: readonly string[], from: number): readonly Loop[] {
  const loops: Loop[] = [];
  let at = from;
  for (let end = from; end >= 0; end = outwards(lines, at)) {
    at = beginningOf(lines, end);
    const { each, table } = LOOP.exec(lines.slice(at, end + 1).join('\n'))?.groups ?? {};
    if (each !== undefined && table !== undefined)
      loops.push({ each, tables: [table, ...tablesNamedIn(lines, table)] });
  }
  return loops;
}

/** The line of a statement's head that ends it begins with a bracket: `] as const) {`. */
function beginningOf(lines: readonly string[], end: number): number {
  const isOwn = (line: string) => indentOf(line) === indentOf(lines[end] ?? '');
  let at = end;
  while (at > 0 && !(isOwn(lines[at] ?? '') && /^ *[^\s\])}]/.test(lines[at] ?? ''))) at -= 1;
  return at;
}

/** The line above which is indented less; -1 where there is none. */
function outwards(lines: readonly string[], at: number): number {
  const depth = indentOf(lines[at] ?? '');
  return lines.slice(0, at).findLastIndex((line) => line !== '' && indentOf(line) < depth);
}

function tablesNamedIn(lines: readonly string[], table: string): readonly string[] {
  return [...table.matchAll(NAMED_TABLE)].flatMap(([, first, spread]) => {
    const declaration = new RegExp(`^ *(?:export )?const ${first ?? spread}\\b`);
    const at = lines.findIndex((line) => declaration.test(line));
    if (at === -1) return [];
    const depth = indentOf(lines[at] ?? '');
    const length = lines.slice(at).findIndex((line) => line.endsWith(';') && indentOf(line) === depth) + 1;
    return [lines.slice(at, at + length).join('\n')];
  });
}

/** The texts that the rows of a table begin with, each on a line of its own: `['a name', …` or `'a name': [`. */
function headsIn(table: string): readonly string[] {
  const depths = table.split('\n').map(indentOf);
  const depth = Math.min(...depths.filter((one) => one > (depths.at(-1) ?? 0)));
  const rows = table.matchAll(new RegExp(String.raw`^ {${depth}}(?:\[\s*)?(?:${LITERAL})`, 'gm'));
  return [...rows].map(([, ...forms]) => nameIn(forms));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function nameIn(forms: readonly (string | undefined)[]): string {
  return forms.join('').replaceAll(/\\(['"`])/g, '$1');
}

const read = new Map<string, Declared | null>();

function readTests(file: string): Declared | null {
  const whole = path.join(ROOT, file);
  const declared = read.get(file) ?? (existsSync(whole) ? testsIn(readFileSync(whole, 'utf8')) : null);
  read.set(file, declared);
  return declared;
}
