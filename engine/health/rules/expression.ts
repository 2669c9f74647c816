import { type CelError, type CelValue, isCelError, plan } from '@bufbuild/cel';
import type { Bindings } from './bindings.ts';
import { ENVIRONMENT, FUNCTIONS, METER } from './environment.ts';
import { countOf } from './estimate.ts';
import { inspect } from './inspect.ts';
import { instrument } from './instrument.ts';
import { CostError } from './meter.ts';
import { childrenOf, type Expr, type Parsed, readExpression } from './syntax.ts';

/** What an expression gives: a value, or why it gives none. */
export type Outcome = { value: CelValue } | { error: string };

/** An expression that can be evaluated. */
export interface Expression {
  /** Time alone may change what it gives. */
  usesNow: boolean;
  /** Pays from METER. Never throws. */
  evaluate: (bindings: Bindings) => Outcome;
}

/**
 * Reads and checks an expression (CEL, with the functions of docs/health.md).
 * @throws ExpressionError that says what is wrong, and where in the text
 */
export function compileExpression(text: string): Expression {
  const parsed = readExpression(text);
  inspect(parsed, FUNCTIONS);
  const run = plan(ENVIRONMENT, instrument(parsed.expr));
  const steps = countOf(parsed.expr);
  return {
    usesNow: isNamed('now', parsed.expr),
    evaluate: (bindings) => {
      try {
        METER.spend(steps);
      } catch (error) {
        if (error instanceof CostError) return { error: error.message };
        throw error;
      }
      const result = run(bindings);
      if (METER.isExhausted) return { error: new CostError().message };
      return isCelError(result) ? { error: reasonOf(result, parsed) } : { value: result };
    },
  };
}

/** The library does not know the length of a list that was too short. */
const BOUNDS = / of bounds \[0, -1\)$/;

function reasonOf({ message, exprId }: CelError, { positionOf }: Parsed): string {
  const position = positionOf(exprId);
  const what = message.replace(BOUNDS, ' of bounds');
  return position === undefined ? what : `${what} (${position})`;
}

function isNamed(name: string, expr: Expr): boolean {
  const { exprKind } = expr;
  const isSame = exprKind.case === 'identExpr' && exprKind.value.name === name;
  return isSame || childrenOf(expr).some((child) => isNamed(name, child));
}
