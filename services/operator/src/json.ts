import { JsonFault, readJson } from '@pfq/kit/json';
import { CommandFailure } from './failure.ts';

/** A JSON value. Throws a CommandFailure that names the file and the line where it is broken or names a member twice. */
export function parseJson(text: string, file: string): unknown {
  try {
    readJson(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new CommandFailure(`${file} is ${error.message}.`, error);
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
