import { resolvePlain } from './scalar.ts';

/**
 * Reads the plain part of YAML that nearly every manifest is written in: block maps and lists, scalars in one line or
 * folded plain ones, literal blocks, short flow lists. About 15 times as fast as the library, and of one mind with it
 * on all that it takes (tests compare them). Anything else, and all that is wrong, is left to the library, which says why.
 */

/** Not of the plain part: thrown and caught in this file alone, and made once, since a stack trace costs time. */
class Unusual extends Error {}
const UNUSUAL = new Unusual();

const NEWLINE = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const DASH = 0x2d;
const COLON = 0x3a;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const BACKSLASH = 0x5c;
const BAR = 0x7c;
const PLUS = 0x2b;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Longer keys are not allowed in YAML. */
const MAX_KEY = 1000;

function charSet(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const c of characters) set[c.charCodeAt(0)] = 1;
  return set;
}
const WORD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./$';
const KEY_START = charSet(WORD);
const KEY_PART = charSet(`${WORD}@-`);
const FLOW_PART = charSet(`${WORD}-`);
/** What a plain scalar, or a further line of one, does not begin with here. */
const NOT_PLAIN_START = charSet('?:,[]{}#&*!|>\'"%@`\t');
const NOT_PLAIN_LINE_START = charSet('?:-#%@`\t');

/**
 * @param text one document, without `---`, ending in a line end and without carriage returns
 * @returns undefined where the library has to read it; `value` null for a document without content
 */
export function parseBlockYaml(text: string, maxDepth: number): { value: unknown } | undefined {
  try {
    return { value: new BlockReader(text, maxDepth).document() };
  } catch (error) {
    if (error === UNUSUAL) return undefined;
    throw error;
  }
}

class BlockReader {
  private readonly text: string;
  private readonly maxDepth: number;
  /** First character of the line being read that is no indentation, or of what is left of it. */
  private at = 0;
  /** Column of `at`; -1 after the last line. */
  private indent = -1;

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  document(): unknown {
    this.toLine(0);
    if (this.indent < 0) return null;
    const value = this.block(1);
    if (this.indent >= 0) throw UNUSUAL;
    return value;
  }

  /** Goes to the next line that is neither empty nor a comment. */
  private toLine(start: number): void {
    const { text } = this;
    while (start < text.length) {
      let at = start;
      while (text.charCodeAt(at) === SPACE) at++;
      const code = text.charCodeAt(at);
      if (code === NEWLINE) start = at + 1;
      else if (code === HASH) start = text.indexOf('\n', at) + 1;
      else if (code === TAB) throw UNUSUAL;
      else {
        this.at = at;
        this.indent = at - start;
        return;
      }
    }
    this.at = text.length;
    this.indent = -1;
  }

  private block(depth: number): unknown {
    if (depth > this.maxDepth) throw UNUSUAL;
    return this.atDash() ? this.list(this.indent, depth) : this.map(this.indent, depth);
  }

  private map(indent: number, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    do {
      const key = this.key();
      if (key === undefined || key === '__proto__' || Object.hasOwn(map, key)) throw UNUSUAL;
      map[key] = this.value(indent, depth, true);
    } while (this.indent === indent);
    if (this.indent > indent) throw UNUSUAL;
    return map;
  }

  private list(indent: number, depth: number): unknown[] {
    const list: unknown[] = [];
    do {
      const dash = this.at;
      this.at = this.skipSpaces(dash + 1);
      this.indent = indent + this.at - dash;
      list.push(this.entry(indent, depth));
    } while (this.indent === indent && this.atDash());
    if (this.indent > indent) throw UNUSUAL;
    return list;
  }

  /** What follows a dash: a map or list begins on the dash's own line, anything else is a value like a map's. */
  private entry(indent: number, depth: number): unknown {
    if (depth >= this.maxDepth) throw UNUSUAL;
    if (this.atDash()) return this.list(this.indent, depth + 1);
    const { at } = this;
    const column = this.indent;
    const isMap = this.key() !== undefined;
    this.at = at;
    return isMap ? this.map(column, depth + 1) : this.value(indent, depth, false);
  }

  private value(indent: number, depth: number, ofMap: boolean): unknown {
    this.at = this.skipSpaces(this.at);
    switch (this.text.charCodeAt(this.at)) {
      case NEWLINE:
      case HASH:
        return this.nested(indent, depth, ofMap);
      case BAR:
        return this.literal(indent);
      case DOUBLE_QUOTE:
        return this.endOfLine(this.doubleQuoted());
      case SINGLE_QUOTE:
        return this.endOfLine(this.singleQuoted());
      case BRACKET:
        if (depth >= this.maxDepth) throw UNUSUAL;
        return this.endOfLine(this.flowList());
      case BRACE:
        if (depth >= this.maxDepth || !this.text.startsWith('{}', this.at)) throw UNUSUAL;
        this.at += 2;
        return this.endOfLine({});
      default:
        return this.plain(indent);
    }
  }

  private nested(indent: number, depth: number, ofMap: boolean): unknown {
    this.toLine(this.text.indexOf('\n', this.at) + 1);
    if (this.indent > indent) return this.block(depth + 1);
    if (ofMap && this.indent === indent && this.atDash()) {
      if (depth >= this.maxDepth) throw UNUSUAL;
      return this.list(indent, depth + 1);
    }
    return null;
  }

  /** Reads `key:`, and leaves the reader where it was for anything else. */
  private key(): string | undefined {
    const { text, at } = this;
    const code = text.charCodeAt(at);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return this.quotedKey(code);
    if (KEY_START[code] !== 1) return undefined;
    let end = at + 1;
    while (KEY_PART[text.charCodeAt(end)] === 1) end++;
    if (!this.atColon(end) || end - at > MAX_KEY) return undefined;
    const key = text.slice(at, end);
    if (typeof resolvePlain(key) !== 'string') throw UNUSUAL;
    this.at = end + 1;
    return key;
  }

  private quotedKey(mark: number): string | undefined {
    const { at } = this;
    const key = mark === DOUBLE_QUOTE ? this.doubleQuoted() : this.singleQuoted();
    if (this.atColon(this.at) && this.at - at <= MAX_KEY) {
      this.at++;
      return key;
    }
    this.at = at;
    return undefined;
  }

  /** A scalar in double quotes within one line, with the escapes that JSON has too. */
  private doubleQuoted(): string {
    const { text, at } = this;
    let escaped = false;
    for (let end = at + 1; ; end++) {
      const code = text.charCodeAt(end);
      if (code === NEWLINE) throw UNUSUAL;
      if (code === BACKSLASH) {
        escaped = true;
        if (text.charCodeAt(++end) === NEWLINE) throw UNUSUAL;
      } else if (code === DOUBLE_QUOTE) {
        this.at = end + 1;
        return escaped ? unescape(text.slice(at, end + 1)) : text.slice(at + 1, end);
      }
    }
  }

  private singleQuoted(): string {
    const { text, at } = this;
    let doubled = false;
    for (let end = at + 1; ; end++) {
      const code = text.charCodeAt(end);
      if (code === NEWLINE) throw UNUSUAL;
      if (code !== SINGLE_QUOTE) continue;
      if (text.charCodeAt(end + 1) === SINGLE_QUOTE) {
        doubled = true;
        end++;
        continue;
      }
      this.at = end + 1;
      const raw = text.slice(at + 1, end);
      return doubled ? raw.replaceAll("''", "'") : raw;
    }
  }

  /** `[]`, `[a, "b", 3]`: words and quoted scalars on one line. */
  private flowList(): unknown[] {
    const list: unknown[] = [];
    this.at = this.skipSpaces(this.at + 1);
    while (this.text[this.at] !== ']') {
      list.push(this.flowItem());
      this.at = this.skipSpaces(this.at);
      if (this.text[this.at] === ']') break;
      if (this.text[this.at] !== ',') throw UNUSUAL;
      this.at = this.skipSpaces(this.at + 1);
      if (this.text[this.at] === ']') throw UNUSUAL;
    }
    this.at++;
    return list;
  }

  private flowItem(): unknown {
    const { text, at } = this;
    const code = text.charCodeAt(at);
    if (code === DOUBLE_QUOTE) return this.doubleQuoted();
    if (code === SINGLE_QUOTE) return this.singleQuoted();
    if (KEY_START[code] !== 1) throw UNUSUAL;
    let end = at + 1;
    while (FLOW_PART[text.charCodeAt(end)] === 1) end++;
    this.at = end;
    return scalar(text.slice(at, end));
  }

  private plain(indent: number): unknown {
    const { text, at } = this;
    const code = text.charCodeAt(at);
    if (NOT_PLAIN_START[code] === 1 || (code === DASH && isSpace(text.charCodeAt(at + 1)))) throw UNUSUAL;
    let value = this.plainLine(at);
    // A comment ends the scalar.
    while (text.charCodeAt(this.at) === NEWLINE) {
      let start = this.at + 1;
      let next = start;
      let empty = 0;
      for (;;) {
        next = this.skipSpaces(start);
        if (next >= text.length || text.charCodeAt(next) !== NEWLINE) break;
        empty++;
        start = next + 1;
      }
      const first = text.charCodeAt(next);
      if (first === TAB) throw UNUSUAL;
      if (next >= text.length || next - start <= indent || first === HASH) break;
      if (NOT_PLAIN_LINE_START[first] === 1) throw UNUSUAL;
      value += (empty === 0 ? ' ' : '\n'.repeat(empty)) + this.plainLine(next);
    }
    this.toLine(text.indexOf('\n', this.at) + 1);
    return scalar(value);
  }

  /** One line of a plain scalar; leaves `at` on the line's end, or on the comment there. */
  private plainLine(start: number): string {
    const { text } = this;
    let last = start;
    for (let at = start; ; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) {
        this.at = at;
        return text.slice(start, last);
      }
      if (code === SPACE) continue;
      if (code === TAB || (code === COLON && isSpace(text.charCodeAt(at + 1)))) throw UNUSUAL;
      if (code === HASH && text.charCodeAt(at - 1) === SPACE) {
        this.at = at;
        return text.slice(start, last);
      }
      last = at + 1;
    }
  }

  /** `|`, `|-`, `|+` with the indentation of its first line. */
  private literal(parentIndent: number): string {
    const { text } = this;
    const chomp = text.charCodeAt(this.at + 1);
    const strip = chomp === DASH;
    const keep = chomp === PLUS;
    const header = this.skipSpaces(this.at + (strip || keep ? 2 : 1));
    if (text.charCodeAt(header) !== NEWLINE) throw UNUSUAL;
    let start = header + 1;
    const indent = this.literalIndent(start);
    if (indent <= parentIndent) throw UNUSUAL;
    const lines: string[] = [];
    let length = 0;
    while (start < text.length) {
      let at = start;
      while (at - start < indent && text.charCodeAt(at) === SPACE) at++;
      const isEmpty = text.charCodeAt(at) === NEWLINE;
      if (!isEmpty && at - start < indent) break;
      const end = isEmpty ? at : text.indexOf('\n', at);
      lines.push(isEmpty ? '' : text.slice(at, end));
      if (!isEmpty) length = lines.length;
      start = end + 1;
    }
    this.toLine(start);
    const last = lines[length - 1] ?? '';
    if (last.trim() === '') throw UNUSUAL;
    const empty = lines.length - length;
    lines.length = length;
    return lines.join('\n') + (strip ? '' : keep ? '\n'.repeat(empty + 1) : '\n');
  }

  private literalIndent(start: number): number {
    const { text } = this;
    let widest = 0;
    while (start < text.length) {
      const at = this.skipSpaces(start);
      const width = at - start;
      if (text.charCodeAt(at) !== NEWLINE) {
        if (widest > width || text.charCodeAt(at) === TAB) throw UNUSUAL;
        return width;
      }
      widest = Math.max(widest, width);
      start = at + 1;
    }
    throw UNUSUAL;
  }

  private endOfLine<T>(value: T): T {
    const rest = this.skipSpaces(this.at);
    const code = this.text.charCodeAt(rest);
    if (code === NEWLINE) this.toLine(rest + 1);
    else if (code === HASH && rest > this.at) this.toLine(this.text.indexOf('\n', rest) + 1);
    else throw UNUSUAL;
    return value;
  }

  private skipSpaces(at: number): number {
    while (this.text.charCodeAt(at) === SPACE) at++;
    return at;
  }

  private atDash(): boolean {
    return this.text.charCodeAt(this.at) === DASH && isSpace(this.text.charCodeAt(this.at + 1));
  }

  private atColon(at: number): boolean {
    return this.text.charCodeAt(at) === COLON && isSpace(this.text.charCodeAt(at + 1));
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || code === NEWLINE;
}

function scalar(text: string): unknown {
  const value = resolvePlain(text);
  if (typeof value === 'number' && !Number.isFinite(value)) throw UNUSUAL;
  return value;
}

function unescape(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw UNUSUAL;
  }
}
