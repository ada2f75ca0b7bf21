import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** A test, or a group of tests, that a row names: `near` is a text of the one case that is meant. */
export type NamedTest = { readonly file: string; readonly name: string; readonly near?: string };

/** One row of a table. */
export type Row = {
  /** The document and the line, for whoever has to mend it. */
  readonly at: string;
  /** Its headings of the second and third level; empty where there is none. */
  readonly section: string;
  readonly part: string;
  /** What the first cell has between backticks, `field: a, b` as one for each word; or its plain text. */
  readonly keys: readonly string[];
  /** Every other cell by the head of its column, without backticks. */
  readonly cells: Readonly<Record<string, string>>;
  /** What the last cell names; null in the place of what cannot be read. */
  readonly tests: readonly (NamedTest | null)[];
};

const TEST = /^`(?<file>[^`]+)` › "(?<name>.+?)"(?: for "(?<near>.+)")?$/;

/** Every row of the documents beside this file, from the top. */
export function readRows(pattern: string): readonly Row[] {
  return globSync(pattern, { cwd: import.meta.dirname })
    .sort()
    .flatMap((document) => rowsOf(document, readFileSync(path.join(import.meta.dirname, document), 'utf8')));
}

function rowsOf(document: string, text: string): readonly Row[] {
  const rows: Row[] = [];
  const headings: [section: string, part: string] = ['', ''];
  let columns: readonly string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, marks = '', title = ''] = /^(#+) (.+)$/.exec(line) ?? [];
    if (marks === '##') headings.splice(0, 2, title, '');
    if (marks === '###') headings.splice(1, 1, title);
    const cells = cellsOf(line);
    if (cells.length === 0) columns = [];
    else if (columns.length === 0) columns = cells;
    else if (!/^-+$/.test(cells[0] ?? '')) {
      const [section, part] = headings;
      rows.push({ at: `${document}:${index + 1}`, section, part, ...readCells(columns, cells) });
    }
  }
  return rows;
}

function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('|')) return [];
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function readCells(columns: readonly string[], cells: readonly string[]): Pick<Row, 'keys' | 'cells' | 'tests'> {
  const [first = ''] = cells;
  const quoted = [...first.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key);
  const named = cells.at(-1) ?? '';
  return {
    keys: quoted.length === 0 ? [first] : quoted.flatMap(eachWord),
    cells: Object.fromEntries(columns.slice(1, -1).map((name, index) => [name, unquoted(cells[index + 1] ?? '')])),
    tests: named.split('<br>').map(readTest),
  };
}

function eachWord(key: string): readonly string[] {
  const [field = '', words] = key.split(': ');
  return words === undefined ? [field] : words.split(', ').map((word) => `${field}: ${word}`);
}

function readTest(text: string): NamedTest | null {
  const { file, name, near } = TEST.exec(text)?.groups ?? {};
  if (file === undefined || name === undefined) return null;
  return { file, name, ...(near !== undefined && { near }) };
}

function unquoted(cell: string): string {
  return cell.replaceAll('`', '');
}
