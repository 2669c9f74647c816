import { exactNumber } from './number.ts';
import { checkKey, quote, SyntaxProblem } from './syntax.ts';

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const PLAIN_STRING = /"([^"\\\u0000-\u001f]*)"/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LITERALS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Reads JSON values that follow one another, as kubectl does with a file that begins with `{`.
 * Numbers that no double holds keep their text; JSON.parse would round them, and take the last of two equal keys.
 * @throws SyntaxProblem with the offset of what is wrong
 */
export function parseJsonStream(text: string, maxDepth: number): { value: unknown; offset: number }[] {
  const reader = new JsonReader(text, maxDepth);
  const values = [];
  while (reader.hasMore()) {
    const offset = reader.at;
    values.push({ value: reader.value(0), offset });
  }
  return values;
}

/**
 * Reads one JSON text with exact numbers: the reverse of toJson.
 * @throws SyntaxProblem
 */
export function parseJson(text: string, maxDepth = 1000): unknown {
  const [first, second] = parseJsonStream(text, maxDepth);
  if (first === undefined) throw new SyntaxProblem(0, 'there is no JSON value', 'write one');
  if (second !== undefined) throw new SyntaxProblem(second.offset, 'text after the JSON value', 'remove it');
  return first.value;
}

class JsonReader {
  at = 0;
  private readonly text: string;
  private readonly maxDepth: number;

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  /** Skips space; true where a value begins. */
  hasMore(): boolean {
    this.skipSpace();
    return !this.atEnd();
  }

  value(depth: number): unknown {
    switch (this.text[this.at]) {
      case '{':
        return this.map(this.deeper(depth));
      case '[':
        return this.list(this.deeper(depth));
      case '"':
        return this.string();
      default:
        return this.literal();
    }
  }

  private map(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    this.at++;
    if (this.ends('}')) return map;
    for (;;) {
      const offset = this.at;
      const key = this.string();
      checkKey(Object.hasOwn(map, key), key, offset);
      this.skipSpace();
      this.expect(':');
      map[key] = this.value(depth);
      if (this.ends('}')) return map;
      this.expect(',');
    }
  }

  private list(depth: number): unknown[] {
    const list: unknown[] = [];
    this.at++;
    if (this.ends(']')) return list;
    for (;;) {
      list.push(this.value(depth));
      if (this.ends(']')) return list;
      this.expect(',');
    }
  }

  private string(): string {
    const plain = this.match(PLAIN_STRING);
    if (plain !== undefined) return plain.slice(1, -1);
    const start = this.at;
    if (this.text.charCodeAt(start) !== QUOTE) throw this.unexpected('a string in double quotes');
    for (let end = start + 1; end < this.text.length; end++) {
      const code = this.text.charCodeAt(end);
      if (code === BACKSLASH) end++;
      else if (code === QUOTE) return this.unescape(start, end + 1);
    }
    throw new SyntaxProblem(start, 'a string without its closing quote', 'close it');
  }

  private unescape(start: number, end: number): string {
    this.at = end;
    try {
      return JSON.parse(this.text.slice(start, end)) as string;
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      throw new SyntaxProblem(start, `not a JSON string: ${cause.message}`, 'escape it as JSON wants it');
    }
  }

  private literal(): unknown {
    const number = this.match(NUMBER);
    if (number !== undefined) return exactNumber(number);
    for (const [word, value] of LITERALS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    throw this.unexpected('a JSON value');
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return undefined;
    const start = this.at;
    this.at = pattern.lastIndex;
    return this.text.slice(start, this.at);
  }

  private atEnd(): boolean {
    return this.at >= this.text.length;
  }

  private skipSpace(): void {
    this.match(SPACE);
  }

  /** Skips space, and the character where it is next; after an opening bracket or a value. */
  private ends(bracket: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== bracket) return false;
    this.at++;
    return true;
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) throw this.unexpected(`"${character}"`);
    this.at++;
    this.skipSpace();
  }

  private deeper(depth: number): number {
    if (depth >= this.maxDepth) {
      throw new SyntaxProblem(this.at, `nested deeper than ${this.maxDepth} levels`, 'make it flatter');
    }
    return depth + 1;
  }

  private unexpected(wanted: string): SyntaxProblem {
    const found = this.atEnd() ? 'the end' : quote(this.text.slice(this.at, this.at + 12));
    return new SyntaxProblem(this.at, `found ${found} instead of ${wanted}`, 'write valid JSON');
  }
}

/**
 * Writes a rendered value as JSON text with every number exact.
 * @param value what render made: plain JSON, with RawJson where a double is not enough
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value);
}
