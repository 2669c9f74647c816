import fc from 'fast-check';

export const PHASES = ['apply', 'change', 'delete'] as const;
export type PhaseName = (typeof PHASES)[number];

/** One kill of the controller: counted from the beginning of the phase, or from when the controller works again. */
export interface Kill {
  /** A moment of time, or the moment in which the API server receives a request of the controller. */
  by: 'time' | 'request';
  /** Part of the time, or of the requests, that the undisturbed phase takes. */
  part: number;
}

/** The kills of one Release's life, in order. */
export type KillPlan = Readonly<Record<PhaseName, readonly Kill[]>>;

const kill: fc.Arbitrary<Kill> = fc.record({
  by: fc.constantFrom('time', 'request'),
  part: fc.integer({ min: 0, max: 999 }).map((drawn) => drawn / 1000),
});

const kills = fc.oneof(
  { weight: 3, arbitrary: fc.array(kill, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(kill, { minLength: 2, maxLength: 3 }) },
);

const killPlan: fc.Arbitrary<KillPlan> = fc.record({ apply: kills, change: kills, delete: kills });

export const UNDISTURBED: KillPlan = { apply: [], change: [], delete: [] };

/** As many plans as it takes to kill so many times. The same seed draws the same ones. */
export function drawPlans(count: number, seed: number): KillPlan[] {
  const drawn = fc.sample(killPlan, { numRuns: count, seed });
  const plans: KillPlan[] = [];
  for (let left = count; left > 0; left -= killsOf(plans.at(-1) ?? UNDISTURBED)) {
    const next = drawn[plans.length];
    if (next === undefined) break;
    plans.push(next);
  }
  return plans;
}

export function killsOf(plan: KillPlan): number {
  return PHASES.reduce((sum, phase) => sum + plan[phase].length, 0);
}
