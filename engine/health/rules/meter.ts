/** An expression would cost more than one assessment may: see COST_LIMIT. */
export class CostError extends Error {
  constructor() {
    super(`costs too much: over ${COST_LIMIT} steps`);
    this.name = 'CostError';
  }
}

/**
 * Steps of one assessment: a node of an expression, an entry of a list that it loops over, a few characters of a text that
 * a function reads, are one each. A usual rule takes some hundred; the limit is some milliseconds of one core.
 */
export const COST_LIMIT = 20_000;
/** Assessments that take fewer are not worth counting. */
export const FEW_STEPS = 2_000;

/** Counts what an evaluation costs. One that has spent its limit can spend nothing more, so that its loops end at once. */
export class Meter {
  #left = 0;
  #isExhausted = false;

  /** Steps that may still be spent. */
  get left(): number {
    return this.#left;
  }

  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  start(limit = COST_LIMIT): void {
    this.#left = limit;
    this.#isExhausted = false;
  }

  /** @throws CostError where the steps are not left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    this.#left = 0;
    this.#isExhausted = true;
    throw new CostError();
  }
}
