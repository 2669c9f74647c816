import pMap from 'p-map';
import { keyOf, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { objectsOfPlan, type Plan, type PlannedObject } from '../../engine/plan/plan.ts';
import { isExcusedRefusal } from '../../engine/plan/refusal.ts';
import type { Body } from '../../engine/render/job.ts';
import { isDefinition } from '../../engine/render/types.ts';
import { ApiError } from '../../kube/errors.ts';
import { isOfEndingNamespace } from '../../kube/refusal.ts';
import type { TargetCluster } from '../cluster.ts';
import { Halt, heals } from '../release/halt.ts';
import type { Sent } from './applyObject.ts';
import { CONCURRENCY } from './concurrency.ts';
import { partition } from './partition.ts';
import { type Problem, problemLines, problemOf } from './problem.ts';
import { standingTypes } from './standingTypes.ts';
import { sendObject } from './updatePolicy.ts';

export interface DryRun {
  cluster: TargetCluster;
  plan: Plan;
  bodies: ReadonlyMap<string, Body>;
  /** Objects of types that nobody serves yet. */
  unknown: ReadonlySet<string>;
  signal: AbortSignal;
}

/** What a dry run has found, apart from problems. */
export interface DryRunResult {
  existing: { planned: PlannedObject; uid: string | undefined }[];
  /** Objects of which it cannot be told yet whether they exist. */
  untested: PlannedObject[];
}

/**
 * Sends every object with `dryRun=All` before a new render touches anything (apply.md). Left out is what could only be
 * refused for now: instances of types that the render creates or changes, and what lives in a Namespace that it creates.
 * @throws Halt `DryRunFailed` naming each refused object with the server's own message; nothing is applied
 */
export async function dryRun(run: DryRun): Promise<DryRunResult> {
  const objects = objectsOfPlan(run.plan).filter(({ key }) => !run.unknown.has(keyString(key)));
  const [namespaces, others] = partition(objects, isNamespace);
  const created = new Set<string>();
  const definitions: KubeObject[] = [];
  const result: DryRunResult = { existing: [], untested: [] };
  const seen = (planned: PlannedObject, outcome: Outcome): void => {
    if (outcome === 'excused') result.untested.push(planned);
    else if (outcome.created) created.add(keyString(planned.key));
    else result.existing.push({ planned, uid: outcome.object.metadata.uid });
    if (outcome !== 'excused' && !outcome.created && isDefinition(outcome.object))
      definitions.push(outcome.object);
  };
  const isNew = ({ needs }: PlannedObject): boolean => needs.some((key) => created.has(keyString(key)));
  const problems = await attemptAll(run, namespaces, objects, seen);
  const [instances, testable] = partition(others, isInstance);
  problems.push(
    ...(await attemptAll(
      run,
      testable.filter((planned) => !isNew(planned)),
      objects,
      seen,
    )),
  );
  const standing = await standingTypes(run.cluster, neededBy(instances, definitions), run.signal);
  // What needs what does not exist does not exist either.
  const [early, untestable] = partition(
    instances.filter((planned) => !isNew(planned)),
    ({ needs }) => typesIn(needs).every((key) => standing.has(keyString(key))),
  );
  problems.push(...(await attemptAll(run, early, objects, seen)));
  if (problems.length > 0) throw dryRunFailure(problems);
  result.untested.push(...untestable);
  return result;
}

/** `excused`: refused for want of another object of the render. */
type Outcome = Sent | 'excused';

/** Of a type that the render brings. */
function isInstance({ needs }: PlannedObject): boolean {
  return typesIn(needs).length > 0;
}

function typesIn(needs: readonly ObjectKey[]): ObjectKey[] {
  return needs.filter(({ kind }) => kind !== 'Namespace');
}

/** The CRDs that the instances are of. */
function neededBy(instances: readonly PlannedObject[], definitions: readonly KubeObject[]): KubeObject[] {
  const needed = new Set(instances.flatMap(({ needs }) => needs.map(keyString)));
  return definitions.filter((definition) => needed.has(keyString(keyOf(definition))));
}

async function attemptAll(
  run: DryRun,
  objects: PlannedObject[],
  render: PlannedObject[],
  seen: (planned: PlannedObject, outcome: Outcome) => void,
): Promise<Problem[]> {
  const problems = await pMap(
    objects,
    async (planned): Promise<Problem[]> => {
      try {
        const body = run.bodies.get(keyString(planned.key))?.text ?? '';
        const options = { dryRun: true, knownUid: undefined, signal: run.signal };
        seen(planned, await sendObject(run.cluster, planned, body, options));
        return [];
      } catch (error) {
        run.signal.throwIfAborted();
        const excused =
          isOfEndingNamespace(error) ||
          (error instanceof ApiError && isExcusedRefusal(error.serverMessage, planned.key.namespace, render));
        if (!excused) return [problemOf(planned.key, error, planned.object)];
        seen(planned, 'excused');
        return [];
      }
    },
    { concurrency: CONCURRENCY },
  );
  return problems.flat();
}

function isNamespace({ key }: PlannedObject): boolean {
  return key.group === '' && key.kind === 'Namespace';
}

function dryRunFailure(problems: Problem[]): Halt {
  const refused = problems.filter((problem) => !problem.retryable);
  // A server that does not answer says nothing about the objects.
  if (refused.length === 0 && problems.every((problem) => !(problem.error instanceof ApiError))) {
    return new Halt(`the cluster does not answer: ${problems[0]?.message ?? ''}`, {
      reason: 'ClusterUnavailable',
      stage: 'Cluster',
      resume: 'retry',
    });
  }
  const lines = `${problemLines(problems)}\nnothing was applied`;
  return new Halt(lines, {
    reason: problems.every((problem) => problem.forbidden) ? 'AccessDenied' : 'DryRunFailed',
    stage: 'DryRun',
    resume: problems.some(({ retryable, error }) => retryable || heals(error)) ? 'retry' : 'change',
    cause: new AggregateError(problems.map((problem) => problem.error)),
  });
}
