import { CommandFailure } from './failure.ts';

const MAX_DEPTH = 64;
const SPACE = /[ \t\n\r]*/y;
const STRING = /"[ !#-[\]-\u{10FFFF}]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\u{10FFFF}]*)*"/uy;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Reader = { readonly text: string; at: number };

/** A JSON value. Throws a CommandFailure that names the file and the line where it is broken or names a member twice. */
export function parseJson(text: string, file: string): unknown {
  const fault = findJsonFault(text);
  if (fault !== undefined) {
    const line = text.slice(0, fault.offset).split('\n').length;
    throw new CommandFailure(`${file} line ${line} is not good JSON: ${fault.problem}.`);
  }
  return JSON.parse(text);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every value of a JSON object under its path, such as `totals.premium`; a list stays in one piece. */
export function flatten(value: unknown): Record<string, string | number | boolean | null> {
  return Object.fromEntries(isRecord(value) ? flattenMembers(value, '') : []);
}

function flattenMembers(
  object: Readonly<Record<string, unknown>>,
  path: string,
): [string, ReturnType<typeof toCell>][] {
  return Object.entries(object).flatMap(([name, member]) =>
    isRecord(member) ? flattenMembers(member, `${path}${name}.`) : [[`${path}${name}`, toCell(member)]],
  );
}

function toCell(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || value === undefined) return null;
  return Array.isArray(value) && !value.some((item) => typeof item === 'object')
    ? value.join(', ')
    : JSON.stringify(value);
}

/**
 * Where JSON text breaks its grammar, names a member twice or nests too deep; undefined where it does not.
 * JSON.parse names no place for half of its faults and lets the last of two equal names win.
 */
export function findJsonFault(text: string): { readonly offset: number; readonly problem: string } | undefined {
  const reader = { text, at: 0 };
  const problem = passValue(reader, 0) ?? passEnd(reader);
  return problem === undefined ? undefined : { offset: reader.at, problem };
}

function passValue(reader: Reader, depth: number): string | undefined {
  take(reader, SPACE);
  const first = reader.text[reader.at];
  if (first !== '{' && first !== '[') {
    return take(reader, STRING) === '' && take(reader, SCALAR) === '' ? 'a value is expected here' : undefined;
  }
  if (depth === MAX_DEPTH) return `it is more than ${MAX_DEPTH} levels deep`;
  const passItem = () => passValue(reader, depth + 1);
  if (first === '[') return passItems(reader, { close: ']', passItem });
  const names = new Set<string>();
  return passItems(reader, { close: '}', passItem: () => passName(reader, names) ?? passItem() });
}

function passItems(
  reader: Reader,
  { close, passItem }: { close: string; passItem: () => string | undefined },
): string | undefined {
  reader.at += 1;
  take(reader, SPACE);
  if (takeMark(reader, close)) return undefined;
  for (;;) {
    const problem = passItem();
    if (problem !== undefined) return problem;
    take(reader, SPACE);
    if (takeMark(reader, close)) return undefined;
    if (!takeMark(reader, ',')) return `"," or "${close}" is expected here`;
  }
}

function passName(reader: Reader, names: Set<string>): string | undefined {
  take(reader, SPACE);
  const start = reader.at;
  const quoted = take(reader, STRING);
  if (quoted === '') return 'a name in double quotes is expected here';
  const name = String(JSON.parse(quoted));
  if (names.has(name)) {
    reader.at = start;
    return `${quoted} is there twice`;
  }
  names.add(name);
  take(reader, SPACE);
  return takeMark(reader, ':') ? undefined : `":" is expected after ${quoted}`;
}

function passEnd(reader: Reader): string | undefined {
  take(reader, SPACE);
  return reader.at === reader.text.length ? undefined : 'nothing more is expected here';
}

function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const taken = pattern.exec(reader.text)?.[0] ?? '';
  reader.at += taken.length;
  return taken;
}

function takeMark(reader: Reader, mark: string): boolean {
  const found = reader.text[reader.at] === mark;
  if (found) reader.at += 1;
  return found;
}
