import { childrenOf, type Comprehension, type Expr } from './syntax.ts';

/** Entries of a list whose length nobody knows before there is an object. */
const USUAL_LENGTH = 8;

/** Steps that an evaluation takes with lists of usual length; what its functions read is not in it. */
export function estimateCost(expr: Expr): number {
  return cost(expr, (loop) => {
    const round = estimateAll([loop.loopCondition, loop.loopStep]);
    return estimateAll([loop.iterRange, loop.accuInit, loop.result]) + lengthOf(loop.iterRange) * round;
  });
}

/** Steps of one round of a loop, but for those of the rounds of loops within it, which pay for themselves. */
export function roundCost({ loopCondition, loopStep }: Comprehension): number {
  return countOf(loopCondition) + countOf(loopStep);
}

/** Steps of an expression without the rounds of its loops. */
export function countOf(expr: Expr | undefined): number {
  if (expr === undefined) return 0;
  return cost(
    expr,
    ({ iterRange, accuInit, result }) => countOf(iterRange) + countOf(accuInit) + countOf(result),
  );
}

function cost(expr: Expr, ofLoop: (loop: Comprehension) => number): number {
  const { exprKind } = expr;
  if (exprKind.case === 'comprehensionExpr') return 1 + ofLoop(exprKind.value);
  return childrenOf(expr).reduce((sum, child) => sum + cost(child, ofLoop), 1);
}

function estimateAll(expressions: readonly (Expr | undefined)[]): number {
  return expressions.reduce((sum, expr) => sum + (expr === undefined ? 0 : estimateCost(expr)), 0);
}

function lengthOf(range: Expr | undefined): number {
  return range?.exprKind.case === 'listExpr' ? range.exprKind.value.elements.length : USUAL_LENGTH;
}
