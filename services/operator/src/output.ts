import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import Table from 'cli-table3';

/** What a command answers: `json` for programs, `text` for people. The exit code is 0 unless given. */
export type Answer = { readonly json: string; readonly text: string; readonly exitCode?: number };

export type Cell = string | number | boolean | null | readonly string[];
export type Row = Readonly<Record<string, Cell>>;

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const NO_BORDERS = { ...Object.fromEntries(BORDERS.split(' ').map((border) => [border, ''])), middle: '  ' };
const NO_COLOURS = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}]/gu;

/** One object: its fields down the page. `note` is said to people only. */
export function answerObject(object: Row, note?: string): Answer {
  const text = formatFields(object);
  return { json: toJson(object), text: note === undefined ? text : `${text}\n${note}\n` };
}

/** A list: one row each, under the named columns; programs get every field. */
export function answerList(rows: readonly Row[], columns: readonly string[]): Answer {
  const json = toJson({ object: 'list', data: rows });
  return { json, text: rows.length === 0 ? 'None.\n' : formatRows(rows, columns) };
}

/** The first of what may be a longer list: one row each, under the named columns. `goOn` says to people how to get the rest. */
export function answerPage(page: {
  readonly rows: readonly Row[];
  readonly columns: readonly string[];
  readonly hasMore: boolean;
  readonly goOn?: string;
}): Answer {
  const { rows, columns, hasMore, goOn = 'ask for them with --limit' } = page;
  const { text } = answerList(rows, columns);
  const json = toJson({ object: 'list', data: rows, has_more: hasMore });
  return { json, text: hasMore ? `${text}\nThere are more: ${goOn}.\n` : text };
}

/** A change that has little to show: one sentence for people. */
export function answerChange(object: Row, sentence: string): Answer {
  return { json: toJson(object), text: `${sentence}\n` };
}

export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function formatFields(object: Row): string {
  return render(
    {},
    Object.entries(object).map(([field, value]) => [field, formatCell(value)]),
  );
}

export function formatRows(rows: readonly Row[], columns: readonly string[]): string {
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column] ?? null)));
  const colAligns = columns.map((column) => (rows.every((row) => isFigure(row[column])) ? 'right' : 'left'));
  return render({ head: [...columns], colAligns }, cells);
}

/** Text without line breaks or anything else that could move a terminal's cursor. */
export function asOneLine(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(UNPRINTABLE, '\u{FFFD}')
    .trim();
}

/** ISO 8601 in UTC; null where there is none. */
export function toIsoTime(timestamp: Timestamp | undefined): string | null {
  return timestamp ? timestampDate(timestamp).toISOString() : null;
}

function formatCell(value: Cell): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return asOneLine(typeof value === 'object' ? value.join(', ') || '–' : String(value));
}

function isFigure(value: Cell | undefined): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+\.\d+$/.test(value));
}

function render(options: Table.TableConstructorOptions, cells: string[][]): string {
  const table = new Table({ chars: NO_BORDERS, style: NO_COLOURS, ...options });
  table.push(...cells);
  return `${table.toString().replaceAll(/ +$/gm, '')}\n`;
}
