import { Composer, CST, isAlias, isScalar, isSeq, Lexer, Parser, Scalar as ScalarNode } from 'yaml';
import type { Alias, ParsedNode, YAMLMap } from 'yaml';
import { RENDER_LIMITS, type RenderLimits } from './limits.ts';
import { isRawNumber } from './number.ts';
import { resolvePlain, type Scalar } from './scalar.ts';
import { checkKey, SyntaxProblem } from './syntax.ts';

/** The limits on one document. */
export type DocumentLimits = Pick<RenderLimits, 'depth' | 'document' | 'aliasText'>;

/** Where the library quotes what it reads: that may be a password. */
const QUOTED_SOURCE = /((?:characters|token|stream)): .*$/s;

const REMEDIES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  BAD_INDENT: 'line it up with its neighbours, or close the { or [ before it',
  MISSING_CHAR: 'write valid YAML',
};

/**
 * Reads any YAML document with the `yaml` library, which knows the grammar; what scalars, keys, tags, merges and aliases
 * mean is decided here, as Kubernetes decides it (go-yaml v2), but for what it lets pass silently: duplicate and
 * non-string keys, unknown tags, values that JSON does not have.
 * @param text one document without its `---`; more than one where `...` ends the first
 * @throws SyntaxProblem with the offset of the first thing wrong
 */
export function parseLibraryYaml(
  text: string,
  limits: DocumentLimits = RENDER_LIMITS,
): { value: unknown; offset: number }[] {
  if (text.length > limits.document) {
    throw new SyntaxProblem(
      0,
      `a document of ${text.length} characters`,
      `split it into documents of at most ${limits.document}`,
    );
  }
  const tokens = tokensOf(text, limits.depth);
  // As plain strings: the schema of the library would round numbers, and its check for equal keys is quadratic.
  const composer = new Composer({
    version: '1.1',
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const documents = [];
  for (const document of composer.compose(tokens, true, text.length)) {
    const [error] = document.errors;
    if (error !== undefined) {
      const what = error.message.replace(QUOTED_SOURCE, '$1');
      throw new SyntaxProblem(error.pos[0], what, REMEDIES[error.code] ?? 'write valid YAML');
    }
    const { contents } = document;
    if (contents === null) continue;
    documents.push({ value: new NodeReader(limits).read(contents), offset: contents.range[0] });
  }
  return documents;
}

/** Levels of the parser's stack that are no map or list. */
const STACK_MARGIN = 8;

/** The library composes by recursion: what is too deep must not reach it, and is given up while it is read. */
function tokensOf(text: string, maxDepth: number): CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > maxDepth + STACK_MARGIN) throw tooDeep(parser.offset, maxDepth);
  }
  tokens.push(...parser.end());
  checkDepth(tokens, maxDepth);
  return tokens;
}

function checkDepth(tokens: CST.Token[], maxDepth: number): void {
  let level: CST.Token[] = tokens;
  for (let depth = -1; level.length > 0; depth++) {
    const first = level.find(CST.isCollection);
    if (depth > maxDepth && first !== undefined) throw tooDeep(first.offset, maxDepth);
    level = level.flatMap(childTokens);
  }
}

function tooDeep(offset: number, maxDepth: number): SyntaxProblem {
  return new SyntaxProblem(offset, `nested deeper than ${maxDepth} levels`, 'make it flatter');
}

function childTokens(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!CST.isCollection(token)) return [];
  return token.items.flatMap(({ key, value }) =>
    [key, value].filter((child) => child !== undefined && child !== null),
  );
}

const TAG = 'tag:yaml.org,2002:';
/** Of the tags of go-yaml those that give a JSON value. A collection's tag only repeats what it is. */
const SCALAR_TAGS: Readonly<Record<string, (text: string, value: Scalar) => boolean>> = {
  [`${TAG}int`]: (text, value) => isNumber(value) && !/[.eE]/.test(text.replace(/^[-+]?0[xX].*/, '')),
  [`${TAG}float`]: (_, value) => isNumber(value),
  [`${TAG}bool`]: (_, value) => typeof value === 'boolean',
  [`${TAG}null`]: (_, value) => value === null,
  [`${TAG}timestamp`]: (_, value) => typeof value === 'string',
};
const STRING_TAGS: ReadonlySet<string> = new Set(['!', `${TAG}str`]);
const COLLECTION_TAGS: ReadonlySet<string> = new Set([`${TAG}map`, `${TAG}seq`]);

function isNumber(value: Scalar): boolean {
  return typeof value === 'number' || isRawNumber(value);
}

/** Turns the nodes of one document into JSON values. Each use of an alias gives a copy of its own. */
class NodeReader {
  private readonly limits: DocumentLimits;
  private readonly anchors = new Map<string, ParsedNode>();
  private readonly open = new Set<ParsedNode>();
  private nodes = 0;
  private aliasNodes = 0;
  private aliasText = 0;
  private aliasDepth = 0;
  /** Of the outermost alias that is being read. */
  private aliasOffset = 0;

  constructor(limits: DocumentLimits) {
    this.limits = limits;
  }

  read(node: ParsedNode | null, depth = 0): unknown {
    if (node === null) return null;
    this.count(node);
    if (isAlias(node)) return this.alias(node, depth);
    if (this.aliasDepth === 0 && node.anchor !== undefined) this.anchors.set(node.anchor, node);
    if (isScalar(node)) return this.scalar(node);
    if (depth >= this.limits.depth) {
      throw tooDeep(node.range[0], this.limits.depth);
    }
    if (node.tag !== undefined && !COLLECTION_TAGS.has(node.tag)) throw unknownTag(node);
    this.open.add(node);
    const value = isSeq(node)
      ? node.items.map((item) => this.read(item, depth + 1))
      : this.map(node, depth + 1);
    this.open.delete(node);
    return value;
  }

  private map(node: YAMLMap.Parsed, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const own = new Set<string>();
    for (const { key, value } of node.items) {
      if (isMergeKey(key)) {
        this.merge(map, value, key.range[0], depth);
        continue;
      }
      const name = this.key(key, depth);
      checkKey(own.has(name), name, key.range[0]);
      own.add(name);
      map[name] = this.read(value, depth);
    }
    return map;
  }

  private key(node: ParsedNode, depth: number): string {
    const key = this.read(node, depth);
    if (typeof key === 'string') return key;
    const what = isScalar(node)
      ? `the key ${node.source} is not text but ${typeName(key)}`
      : 'a key is no text';
    throw new SyntaxProblem(node.range[0], what, 'put it in quotes');
  }

  /** As go-yaml v2 does it: what is merged in replaces what stood before it, and yields to what comes after. */
  private merge(map: Record<string, unknown>, node: ParsedNode | null, offset: number, depth: number): void {
    const value = this.read(node, depth);
    const sources = Array.isArray(value) ? (value as unknown[]).toReversed() : [value];
    for (const source of sources) {
      if (typeof source !== 'object' || source === null || Array.isArray(source) || isRawNumber(source)) {
        throw new SyntaxProblem(
          offset,
          '<< merges maps alone',
          'give it an alias of a map, or a list of those',
        );
      }
      Object.assign(map, source);
    }
  }

  private scalar(node: ScalarNode.Parsed): Scalar {
    const text = typeof node.value === 'string' ? node.value : node.source;
    const { tag } = node;
    if (tag === undefined) return node.type === ScalarNode.PLAIN ? jsonScalar(node, text) : text;
    if (STRING_TAGS.has(tag)) return text;
    const fits = SCALAR_TAGS[tag];
    if (fits === undefined) throw unknownTag(node);
    const value = jsonScalar(node, text);
    if (fits(text, value)) return value;
    throw new SyntaxProblem(node.range[0], `this text is no ${tag.slice(TAG.length)}`, 'take the tag away');
  }

  private alias(node: Alias.Parsed, depth: number): unknown {
    const target = this.anchors.get(node.source);
    if (target === undefined) {
      throw new SyntaxProblem(
        node.range[0],
        'there is no anchor of this name before this alias',
        'write it out, or put a text that begins with * in quotes',
      );
    }
    if (this.open.has(target)) {
      throw new SyntaxProblem(node.range[0], `the anchor &${node.source} contains itself`, 'write it out');
    }
    if (this.aliasDepth === 0) this.aliasOffset = node.range[0];
    this.aliasDepth++;
    const value = this.read(target, depth);
    this.aliasDepth--;
    return value;
  }

  /** The limits of go-yaml on how much of a document may come from aliases, and one on text, which it lacks. */
  private count(node: ParsedNode): void {
    this.nodes++;
    if (this.aliasDepth === 0) return;
    this.aliasNodes++;
    if (isScalar(node)) this.aliasText += node.range[1] - node.range[0];
    const excessive = this.nodes > 1000 && this.aliasNodes / this.nodes > allowedAliasRatio(this.nodes);
    if (excessive || this.aliasText > this.limits.aliasText) {
      throw new SyntaxProblem(
        this.aliasOffset,
        'aliases make far too much out of this document',
        'write it out',
      );
    }
  }
}

const FEW_NODES = 400_000;
const MANY_NODES = 4_000_000;

/** From 99 % in documents of usual size down to 10 % in the largest. */
function allowedAliasRatio(nodes: number): number {
  if (nodes <= FEW_NODES) return 0.99;
  if (nodes >= MANY_NODES) return 0.1;
  return 0.99 - (0.89 * (nodes - FEW_NODES)) / (MANY_NODES - FEW_NODES);
}

function isMergeKey(node: ParsedNode): boolean {
  return isScalar(node) && node.value === '<<' && node.type === ScalarNode.PLAIN && node.tag === undefined;
}

function jsonScalar(node: ScalarNode.Parsed, text: string): Scalar {
  const value = resolvePlain(text);
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new SyntaxProblem(node.range[0], `JSON has no ${text}`, 'put it in quotes, or write a number');
}

function unknownTag(node: ParsedNode): SyntaxProblem {
  const { tag = '' } = node;
  // One of nobody's may be a password that wants quotes.
  const what = tag.startsWith(TAG) ? `the tag ${tag}` : 'this tag';
  return new SyntaxProblem(
    node.range[0],
    `${what} is not known to Kubernetes`,
    'take the tag away, or put a text that begins with ! in quotes',
  );
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return isRawNumber(value) ? 'a number' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
