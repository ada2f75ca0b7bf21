import { shortened } from './texts.ts';

/** A JSON text as a tree that loses nothing: the order and any spelling of member names, every digit of a number. */
export type JsonValue = null | boolean | string | JsonNumber | JsonObject | JsonValue[];

/** A number as it was written: `0.250` and `25e-2` stay what they are. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Members in the order sent, `__proto__` and `2` before `1` included. */
export class JsonObject {
  readonly members: ReadonlyMap<string, JsonValue>;

  constructor(members: ReadonlyMap<string, JsonValue>) {
    this.members = members;
  }
}

/** Where and why a text is not read. Its message begins with "not valid JSON at line", for a sentence that names the text. */
export class JsonFault extends Error {
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly problem: string;

  constructor({ line, column, problem }: { line: number; column: number; problem: string }) {
    super(`not valid JSON at line ${line}, column ${column}: ${problem}`);
    this.name = 'JsonFault';
    this.column = column;
    this.problem = problem;
  }
}

/** The deepest nesting that is read; a bound on the stack, far above what any request needs. */
export const MAX_JSON_LEVELS = 64;

const NO_MEMBERS = new JsonObject(new Map());
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/**
 * Reads one RFC 8259 text in UTF-8. Throws a JsonFault where it is malformed, names a member of an object twice, or nests
 * deeper than MAX_JSON_LEVELS.
 */
export function readJson(bytes: Uint8Array): JsonValue {
  return new JsonReader(decode(bytes)).readText();
}

/** What a value is, for a message about its type: "a number". */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'a boolean';
  if (value instanceof JsonNumber) return 'a number';
  return value instanceof JsonObject ? 'an object' : 'an array';
}

class JsonReader {
  readonly #text: string;
  #at = 0;
  #level = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readText(): JsonValue {
    this.#skipWhitespace();
    if (this.#at === this.#text.length) throw this.#fault('there is no value');
    const value = this.#readValue();
    this.#skipWhitespace();
    if (this.#at < this.#text.length) throw this.#fault(`${this.#found()} follows the end of the value`);
    return value;
  }

  #readValue(): JsonValue {
    switch (this.#text.charAt(this.#at)) {
      case '{':
        return this.#readObject();
      case '[':
        return this.#readArray();
      case '"':
        return this.#readString();
      case 't':
        return this.#readWord('true', true);
      case 'f':
        return this.#readWord('false', false);
      case 'n':
        return this.#readWord('null', null);
      default:
        return this.#readNumber();
    }
  }

  #readObject(): JsonObject {
    this.#enter();
    if (this.#take('}')) return this.#leave(NO_MEMBERS);
    const members = new Map<string, JsonValue>();
    do {
      this.#skipWhitespace();
      const start = this.#at;
      if (this.#text.charCodeAt(start) !== QUOTE) throw this.#expected('a member name in double quotes');
      const name = this.#readString();
      if (members.has(name)) throw this.#fault(`the member ${shortened(name)} appears twice in one object`, start);
      if (!this.#take(':')) throw this.#expected('":" after a member name');
      this.#skipWhitespace();
      members.set(name, this.#readValue());
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#expected('"," or "}"');
    return this.#leave(new JsonObject(members));
  }

  #readArray(): JsonValue[] {
    this.#enter();
    const items: JsonValue[] = [];
    if (this.#take(']')) return this.#leave(items);
    do {
      this.#skipWhitespace();
      items.push(this.#readValue());
    } while (this.#take(','));
    if (!this.#take(']')) throw this.#expected('"," or "]"');
    return this.#leave(items);
  }

  #readString(): string {
    this.#at += 1;
    let read = '';
    let start = this.#at;
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit === QUOTE) {
        read += this.#text.slice(start, this.#at);
        this.#at += 1;
        return read;
      }
      if (unit === BACKSLASH) {
        read += this.#text.slice(start, this.#at) + this.#readEscape();
        start = this.#at;
      } else if (unit >= FIRST_PRINTABLE) {
        this.#at += 1;
      } else if (this.#at < this.#text.length) {
        throw this.#fault('a control character in a string must be escaped');
      } else {
        throw this.#fault('the text ends inside a string');
      }
    }
  }

  #readEscape(): string {
    const letter = this.#text.charAt(this.#at + 1);
    const simple = ESCAPES.get(letter);
    if (simple !== undefined) {
      this.#at += 2;
      return simple;
    }
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    if (letter !== 'u' || !HEX4.test(digits)) throw this.#fault('a backslash in a string begins no valid escape');
    this.#at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #readNumber(): JsonNumber {
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.#text)) throw this.#expected('a value');
    const start = this.#at;
    this.#at = NUMBER.lastIndex;
    return new JsonNumber(this.#text.slice(start, this.#at));
  }

  #readWord<T extends boolean | null>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#expected('a value');
    this.#at += word.length;
    return value;
  }

  #enter(): void {
    this.#level += 1;
    if (this.#level > MAX_JSON_LEVELS) throw this.#fault(`the nesting is deeper than ${MAX_JSON_LEVELS} levels`);
    this.#at += 1;
  }

  #leave<T>(value: T): T {
    this.#level -= 1;
    return value;
  }

  /** Steps over whitespace and then over `mark`, if it stands there. */
  #take(mark: string): boolean {
    this.#skipWhitespace();
    if (this.#text.charAt(this.#at) !== mark) return false;
    this.#at += 1;
    return true;
  }

  #skipWhitespace(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at += 1;
    }
  }

  #expected(what: string): JsonFault {
    return this.#fault(`${what} was expected, ${this.#found()} was found`);
  }

  #found(): string {
    const character = this.#text.codePointAt(this.#at);
    return character === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(character));
  }

  #fault(what: string, at = this.#at): JsonFault {
    return faultAt(this.#text, at, what);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const text = LENIENT_UTF8.decode(bytes);
    throw faultAt(text, firstReplaced(text, bytes), 'the bytes are not valid UTF-8');
  }
}

/** Where decoding first put U+FFFD for bytes that were something else. */
function firstReplaced(text: string, bytes: Uint8Array): number {
  let at = text.indexOf('\uFFFD');
  let offset = Buffer.byteLength(text.slice(0, at));
  while (bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd) {
    const next = text.indexOf('\uFFFD', at + 1);
    offset += Buffer.byteLength(text.slice(at, next));
    at = next;
  }
  return at;
}

function faultAt(text: string, at: number, problem: string): JsonFault {
  const before = text.slice(0, at).split('\n');
  return new JsonFault({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, problem });
}
