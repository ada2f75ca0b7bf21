/** A JSON value that keeps what plain objects lose: the order of members whatever their names, `__proto__` included. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** Where a text breaks the grammar of JSON, names a member twice or nests too deep. */
export class JsonFault extends Error {
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.name = 'JsonFault';
    this.offset = offset;
  }
}

const MAX_DEPTH = 64;
const SPACE = /[ \t\n\r]*/y;
const STRING = /"[ !#-[\]-\u{10FFFF}]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\u{10FFFF}]*)*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = new Map<string, readonly [word: string, value: boolean | null]>([
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['n', ['null', null]],
]);

/** Reads one JSON text. Throws a JsonFault: JSON.parse names no place for half of its faults and lets equal names pass. */
export function readOrderedJson(text: string): JsonValue {
  const reader = new Reader(text);
  const value = reader.readValue(0);
  reader.expectEnd();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(depth: number): JsonValue {
    this.#take(SPACE);
    const first = this.#text.charAt(this.#at);
    if (first === '{' || first === '[') {
      if (depth === MAX_DEPTH) throw this.#fault(`it is more than ${MAX_DEPTH} levels deep`);
      this.#at += 1;
      return first === '{' ? this.#readObject(depth + 1) : this.#readList(depth + 1);
    }
    return first === '"' ? this.#readString('a value is expected here') : this.#readScalar(first);
  }

  expectEnd(): void {
    this.#take(SPACE);
    if (this.#at < this.#text.length) throw this.#fault('nothing more is expected here');
  }

  #readObject(depth: number): JsonObject {
    const members = new Map<string, JsonValue>();
    this.#take(SPACE);
    if (this.#takeMark('}')) return members;
    do {
      this.#take(SPACE);
      const start = this.#at;
      const name = this.#readString('a name in double quotes is expected here');
      const quoted = this.#text.slice(start, this.#at);
      if (members.has(name)) throw new JsonFault(start, `${quoted} is there twice`);
      this.#take(SPACE);
      if (!this.#takeMark(':')) throw this.#fault(`":" is expected after ${quoted}`);
      members.set(name, this.readValue(depth));
    } while (this.#goesOn('}'));
    return members;
  }

  #readList(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.#take(SPACE);
    if (this.#takeMark(']')) return items;
    do items.push(this.readValue(depth));
    while (this.#goesOn(']'));
    return items;
  }

  /** Whether another item follows, or else the end of the list or object, which is passed. */
  #goesOn(close: string): boolean {
    this.#take(SPACE);
    if (this.#takeMark(',')) return true;
    if (this.#takeMark(close)) return false;
    throw this.#fault(`"," or "${close}" is expected here`);
  }

  #readString(expected: string): string {
    const quoted = this.#take(STRING);
    if (quoted === '') throw this.#fault(expected);
    return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  }

  #readScalar(first: string): JsonValue {
    const [word, value] = WORDS.get(first) ?? ['', null];
    if (word !== '' && this.#text.startsWith(word, this.#at)) {
      this.#at += word.length;
      return value;
    }
    const digits = this.#take(NUMBER);
    if (digits === '') throw this.#fault('a value is expected here');
    return Number(digits);
  }

  #take(pattern: RegExp): string {
    const start = this.#at;
    pattern.lastIndex = start;
    if (!pattern.test(this.#text)) return '';
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #takeMark(mark: string): boolean {
    const found = this.#text.charAt(this.#at) === mark;
    if (found) this.#at += 1;
    return found;
  }

  #fault(problem: string): JsonFault {
    return new JsonFault(this.#at, problem);
  }
}
