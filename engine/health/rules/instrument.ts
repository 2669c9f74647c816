import { roundCost } from './estimate.ts';
import { APPEND, COLLECT, RANGE, STEP } from './functions.ts';
import { type Comprehension, type Expr, withChildren } from './syntax.ts';

/** What `self.status` and `status` are read as: no expression can hide it behind a variable of a loop. */
export const STATUS = '@status';

/**
 * Makes an expression pay for what it does where no function of it would: each loop for its list and for each of its
 * rounds. What `map` and `filter` gather is put into one list, not into lists of lists, and the status is read from one
 * place, so that a missing one is known as such.
 */
export function instrument(expr: Expr): Expr {
  return rewrite(expr, new Set());
}

/** @param hidden names that mean a variable of a loop here */
function rewrite(expr: Expr, hidden: ReadonlySet<string>): Expr {
  const { exprKind } = expr;
  if (isStatus(expr, hidden)) return { ...expr, exprKind: ident(STATUS) };
  if (exprKind.case === 'comprehensionExpr') return rewriteLoop(expr, exprKind.value, hidden);
  return withChildren(expr, (child) => rewrite(child, hidden));
}

function isStatus({ exprKind }: Expr, hidden: ReadonlySet<string>): boolean {
  if (exprKind.case === 'identExpr') return exprKind.value.name === 'status' && !hidden.has('status');
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly || exprKind.value.field !== 'status')
    return false;
  const operand = exprKind.value.operand?.exprKind;
  return operand?.case === 'identExpr' && operand.value.name === 'self' && !hidden.has('self');
}

function rewriteLoop(expr: Expr, loop: Comprehension, hidden: ReadonlySet<string>): Expr {
  const inner = new Set([...hidden, loop.iterVar]);
  const range = loop.iterRange && call(expr, RANGE, [rewrite(loop.iterRange, hidden)]);
  const condition =
    loop.loopCondition &&
    call(expr, STEP, [rewrite(loop.loopCondition, inner), constant(expr, roundCost(loop))]);
  const step = loop.loopStep && gather(rewrite(loop.loopStep, inner), loop.accuVar);
  const value = {
    ...loop,
    ...(range && { iterRange: range }),
    ...(condition && { loopCondition: condition }),
    ...(step && { loopStep: step }),
    ...(loop.accuInit?.exprKind.case === 'listExpr' && { accuInit: call(expr, COLLECT, []) }),
  };
  return { ...expr, exprKind: { case: 'comprehensionExpr', value } };
}

/** `@result + [x]`, which macros alone can write, as `@append(@result, x)`; it may stand in a condition. */
function gather(step: Expr, accuVar: string): Expr {
  const { exprKind } = step;
  if (exprKind.case !== 'callExpr') return step;
  const { function: name, args } = exprKind.value;
  const [accu, added] = args;
  if (name === '_?_:_') {
    const value = { ...exprKind.value, args: args.map((arg) => gather(arg, accuVar)) };
    return { ...step, exprKind: { case: 'callExpr', value } };
  }
  const isGathering =
    name === '_+_' && accu?.exprKind.case === 'identExpr' && accu.exprKind.value.name === accuVar;
  if (!isGathering || added?.exprKind.case !== 'listExpr') return step;
  return call(step, APPEND, [accu, ...added.exprKind.value.elements]);
}

function call({ id }: Expr, name: string, args: Expr[]): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  };
}

function constant({ id }: Expr, value: number): Expr {
  const constantKind = { case: 'int64Value', value: BigInt(value) } as const;
  return {
    $typeName: 'cel.expr.Expr',
    id,
    exprKind: { case: 'constExpr', value: { $typeName: 'cel.expr.Constant', constantKind } },
  };
}

function ident(name: string): Expr['exprKind'] {
  return { case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name } };
}
