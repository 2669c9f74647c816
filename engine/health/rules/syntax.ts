import { parse } from '@bufbuild/cel';

export type Expr = ReturnType<typeof parse>['expr'];
type Kind = Expr['exprKind'];
type Of<Case extends Kind['case']> = Extract<Kind, { case: Case }>['value'];
export type Call = Of<'callExpr'>;
export type Comprehension = Of<'comprehensionExpr'>;
type Struct = Of<'structExpr'>;

/** What is wrong with an expression, and where. */
export class ExpressionError extends Error {
  constructor(what: string, position?: string) {
    super(position === undefined ? what : `${position}: ${what}`);
    this.name = 'ExpressionError';
  }
}

/** An expression that was read. */
export interface Parsed {
  expr: Expr;
  /** Where a node stands: `column 8`, or `line 2, column 8`. */
  positionOf: (id: bigint | undefined) => string | undefined;
}

/** Words and signs of one expression: reading more takes too long. */
const MAX_TOKENS = 1000;
/** Brackets within brackets: reading more runs out of stack. */
const MAX_BRACKETS = 32;
/** Levels of the tree, which is walked by recursion. */
const MAX_DEPTH = 200;
/** Space, a comment, a text (a raw one has no escapes), a word, or any sign. */
const TOKEN =
  /\s+|\/\/.*|[bB]?[rR][bB]?(?:'''[^]*?'''|"""[^]*?"""|'[^'\n]*'|"[^"\n]*")|'''(?:\\[^]|[^\\])*?'''|"""(?:\\[^]|[^\\])*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\w+|[^]/gy;
const NO_TOKEN = /^(?:\s|\/\/)/;

/**
 * Reads an expression.
 * @throws ExpressionError where it is none, or too large to be read
 */
export function readExpression(text: string): Parsed {
  refuseLarge(text);
  try {
    const { expr, sourceInfo } = parse(text);
    const positionOf = (id: bigint | undefined): string | undefined =>
      positionAt(text, sourceInfo?.positions[String(id)]);
    refuseDeep(expr);
    return { expr, positionOf };
  } catch (error) {
    throw error instanceof ExpressionError ? error : syntaxError(error, text);
  }
}

function refuseLarge(text: string): void {
  let [tokens, depth, deepest] = [0, 0, 0];
  for (const [token] of text.matchAll(TOKEN)) {
    if (NO_TOKEN.test(token)) continue;
    tokens += 1;
    if ('([{'.includes(token)) deepest = Math.max(deepest, (depth += 1));
    else if (')]}'.includes(token)) depth -= 1;
  }
  if (tokens > MAX_TOKENS) throw new ExpressionError(`has ${tokens} words and signs; at most ${MAX_TOKENS}`);
  if (deepest > MAX_BRACKETS)
    throw new ExpressionError(`has ${deepest} brackets in one another; at most ${MAX_BRACKETS}`);
}

function refuseDeep(expr: Expr): void {
  let level: readonly Expr[] = [expr];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new ExpressionError(`is nested deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap(childrenOf);
  }
}

/** The expressions that a node is made of, each once. */
export function childrenOf({ exprKind }: Expr): readonly Expr[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return present([exprKind.value.operand]);
    case 'callExpr':
      return present([exprKind.value.target, ...exprKind.value.args]);
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) =>
        present([keyKind.case === 'mapKey' ? keyKind.value : undefined, value]),
      );
    case 'comprehensionExpr':
      return partsOf(exprKind.value);
    default:
      return [];
  }
}

/** A node with its children replaced, at any place but within comprehensions. */
export function withChildren(expr: Expr, change: (child: Expr) => Expr): Expr {
  const { exprKind } = expr;
  const optional = (child: Expr | undefined) => (child === undefined ? {} : { target: change(child) });
  switch (exprKind.case) {
    case 'selectExpr': {
      const { operand } = exprKind.value;
      const value = { ...exprKind.value, ...(operand === undefined ? {} : { operand: change(operand) }) };
      return { ...expr, exprKind: { case: 'selectExpr', value } };
    }
    case 'callExpr': {
      const { target, args } = exprKind.value;
      const value = { ...exprKind.value, ...optional(target), args: args.map(change) };
      return { ...expr, exprKind: { case: 'callExpr', value } };
    }
    case 'listExpr': {
      const value = { ...exprKind.value, elements: exprKind.value.elements.map(change) };
      return { ...expr, exprKind: { case: 'listExpr', value } };
    }
    case 'structExpr': {
      const value = { ...exprKind.value, entries: exprKind.value.entries.map(changedEntry(change)) };
      return { ...expr, exprKind: { case: 'structExpr', value } };
    }
    default:
      return expr;
  }
}

function changedEntry(change: (child: Expr) => Expr) {
  return (entry: Struct['entries'][number]): Struct['entries'][number] => ({
    ...entry,
    keyKind:
      entry.keyKind.case === 'mapKey'
        ? { case: 'mapKey', value: change(entry.keyKind.value) }
        : entry.keyKind,
    ...(entry.value === undefined ? {} : { value: change(entry.value) }),
  });
}

function partsOf({ iterRange, accuInit, loopCondition, loopStep, result }: Comprehension): Expr[] {
  return present([iterRange, accuInit, loopCondition, loopStep, result]);
}

function present(expressions: readonly (Expr | undefined)[]): Expr[] {
  return expressions.filter((expr) => expr !== undefined);
}

const INPUT = /^(?:syntax error: )?<input>:\d+:\d+: /;

/** What the parser says lists every sign that could stand there instead. */
function syntaxError(error: unknown, text: string): ExpressionError {
  if (!(error instanceof Error)) throw error;
  const { location } = error as { location?: { start?: { offset?: number } } };
  const what = error.message.replace(INPUT, '').split(' but expecting ')[0] ?? '';
  return new ExpressionError(`cannot be read: ${what}`, positionAt(text, location?.start?.offset));
}

function positionAt(text: string, offset: number | undefined): string | undefined {
  if (offset === undefined) return undefined;
  const lines = text.slice(0, offset).split('\n');
  const column = `column ${(lines.at(-1)?.length ?? 0) + 1}`;
  return text.includes('\n') ? `line ${lines.length}, ${column}` : column;
}
