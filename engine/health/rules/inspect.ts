import type { CelFunc } from '@bufbuild/cel';
import { closest } from '../../../api/closest.ts';
import { estimateCost } from './estimate.ts';
import { COST_LIMIT } from './meter.ts';
import { readPattern } from './pattern.ts';
import {
  type Call,
  childrenOf,
  type Comprehension,
  type Expr,
  ExpressionError,
  type Parsed,
} from './syntax.ts';

/** What an expression may read. */
const VARIABLES = ['self', 'metadata', 'spec', 'status', 'data', 'now'] as const;
const TYPES = ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type'];
/** Calls that are no functions to the library. */
const OPERATORS = new Set(['_&&_', '_||_', '_?_:_', '_[_]', '@not_strictly_false']);

/**
 * Checks what can be told of an expression without an object: its variables, functions, regular expressions, and what it
 * would cost with lists of usual length.
 * @throws ExpressionError with the position of the first thing that is wrong
 */
export function inspect(parsed: Parsed, functions: readonly CelFunc[]): void {
  new Inspection(parsed, functions).look(parsed.expr, new Set(VARIABLES));
  const steps = estimateCost(parsed.expr);
  if (steps > COST_LIMIT)
    throw new ExpressionError(
      `costs too much: about ${steps} steps with short lists, at most ${COST_LIMIT}: put fewer loops into one another`,
    );
}

class Inspection {
  readonly #parsed: Parsed;
  readonly #functions: readonly CelFunc[];

  constructor(parsed: Parsed, functions: readonly CelFunc[]) {
    this.#parsed = parsed;
    this.#functions = functions;
  }

  look(expr: Expr, scope: ReadonlySet<string>): void {
    const { exprKind } = expr;
    if (exprKind.case === 'identExpr') this.#lookAtName(expr, exprKind.value.name, scope);
    else if (exprKind.case === 'callExpr') this.#lookAtCall(expr, exprKind.value);
    else if (exprKind.case === 'structExpr' && exprKind.value.messageName !== '')
      throw this.#error(expr, `there is no type ${exprKind.value.messageName} to make`);
    if (exprKind.case === 'comprehensionExpr') this.#lookAtLoop(exprKind.value, scope);
    else for (const child of childrenOf(expr)) this.look(child, scope);
  }

  #lookAtName(expr: Expr, name: string, scope: ReadonlySet<string>): void {
    if (scope.has(name) || TYPES.includes(name)) return;
    const meant = closest(name, [...scope]);
    const hint = meant === undefined ? `there are ${VARIABLES.join(', ')}` : `did you mean ${meant}?`;
    throw this.#error(expr, `unknown variable ${name}; ${hint}`);
  }

  #lookAtCall(expr: Expr, { function: name, target, args }: Call): void {
    if (OPERATORS.has(name)) return;
    if (name === 'has') throw this.#error(expr, 'has() needs a field, such as has(status.conditions)');
    const named = this.#functions.filter((func) => func.name === name);
    if (named.length === 0) throw this.#error(expr, this.#unknownFunction(name));
    const fits = named.some(
      (func) =>
        func.arguments.length === args.length && (func.target === undefined) === (target === undefined),
    );
    if (!fits) throw this.#error(expr, `${name} is not called in this way, with ${args.length} arguments`);
    if (name === 'matches') this.#lookAtPattern(expr, args[0]);
  }

  #unknownFunction(name: string): string {
    const meant = closest(name, [...new Set(this.#functions.map((func) => func.name))]);
    return `unknown function ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  }

  #lookAtPattern(expr: Expr, pattern: Expr | undefined): void {
    const constant = pattern?.exprKind.case === 'constExpr' ? pattern.exprKind.value.constantKind : undefined;
    if (constant?.case !== 'stringValue')
      throw this.#error(expr, 'the regular expression of matches() has to stand there as a text');
    try {
      readPattern(constant.value);
    } catch (error) {
      throw this.#error(expr, error instanceof Error ? error.message : String(error));
    }
  }

  /** What runs in the loop knows its variable; the list that it runs over does not. */
  #lookAtLoop(loop: Comprehension, scope: ReadonlySet<string>): void {
    const { iterRange, accuInit, accuVar, iterVar, loopCondition, loopStep, result } = loop;
    const inner = new Set([...scope, accuVar, iterVar]);
    for (const expr of [iterRange, accuInit]) if (expr !== undefined) this.look(expr, scope);
    for (const expr of [loopCondition, loopStep]) if (expr !== undefined) this.look(expr, inner);
    if (result !== undefined) this.look(result, new Set([...scope, accuVar]));
  }

  #error({ id }: Expr, what: string): ExpressionError {
    return new ExpressionError(what, this.#parsed.positionOf(id));
  }
}
