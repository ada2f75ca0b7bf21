import { ServiceError } from '@pfq/kit/errors';

/** A JSON number as it was written, because a double would round it. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type ExactJson = null | boolean | string | NumberText | readonly ExactJson[] | ExactJsonObject;
export type ExactJsonObject = { readonly [name: string]: ExactJson };

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Reads JSON with its numbers kept as text. Throws INVALID_JSON for malformed text and for a member named twice. */
export function parseExactJson(text: string): ExactJson {
  const value = parse(text);
  const repeated = findRepeatedMember(text);
  if (repeated !== null) {
    throw invalidJson(`Line ${repeated.line} names "${repeated.name}" a second time. Keep one of the two.`);
  }
  return value;
}

export function isExactJsonObject(value: ExactJson | undefined): value is ExactJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

function parse(text: string): ExactJson {
  try {
    return JSON.parse(text, (_name, value: ExactJson | number, context?: { readonly source?: string }) =>
      typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value,
    ) as ExactJson;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw invalidJson(`The text is not JSON: ${cause.message}.`, cause);
  }
}

/** Walks the tokens of well-formed JSON with one set of names per open object, and none per open array. */
function findRepeatedMember(text: string): { readonly name: string; readonly line: number } | null {
  const open: (Set<string> | null)[] = [];
  let lastString = '';
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') lastString = token;
    else {
      const name = String(JSON.parse(lastString));
      const names = open.at(-1);
      if (names?.has(name) === true) return { name, line: text.slice(0, match.index).split('\n').length };
      names?.add(name);
    }
  }
  return null;
}

function invalidJson(message: string, cause?: unknown): ServiceError {
  return new ServiceError('INVALID_JSON', { message, cause });
}
