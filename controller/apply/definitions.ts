import pMap from 'p-map';
import { keyString } from '../../api/object.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import type { Body } from '../../engine/render/job.ts';
import type { Existence } from './existence.ts';
import type { ObjectApplier } from './objectApplier.ts';
import { partition } from './partition.ts';
import { problemOf } from './problem.ts';
import { within } from './within.ts';

/** CRDs in flight that no object of the render waits for. */
const CONCURRENT = 2;
/** How long the next one waits for one that does not come into use (ms). */
const IN_USE_WITHIN_MS = 10_000;

interface DefinitionRun {
  applier: ObjectApplier;
  existence: Existence;
  bodies: ReadonlyMap<string, Body>;
  signal: AbortSignal;
}

/**
 * An API server takes CRDs into use one after another, the longer the larger they are, and builds its OpenAPI anew behind
 * each, which slows the next. So those that have instances go first, each when the one before it is served, the largest
 * first, which nothing slows yet: sent all at once, every instance would wait for the slowest. The others follow.
 */
export async function applyDefinitions(run: DefinitionRun, crds: readonly PlannedObject[]): Promise<void> {
  const { applier, existence, bodies } = run;
  const size = ({ key }: PlannedObject): number => bodies.get(keyString(key))?.text.length ?? 0;
  const sorted = [...crds].sort((a, b) => size(b) - size(a));
  const [needed, others] = partition(sorted, ({ key }) => existence.isNeeded(key));
  for (const crd of needed) {
    await applier.apply(crd);
    if (applier.problems.length > 0) return;
    await within(untilUsable(run, crd), IN_USE_WITHIN_MS);
  }
  await pMap(others, (crd) => applier.apply(crd), { concurrency: CONCURRENT });
}

async function untilUsable(
  { applier, existence, signal }: DefinitionRun,
  { key }: PlannedObject,
): Promise<void> {
  await existence.usable([key], signal).catch((error: unknown) => {
    // Who needs it finds the same error, and names the object.
    if (!signal.aborted) applier.problems.push(problemOf(key, error));
  });
}
