import pMap from 'p-map';
import { keyString, type ObjectKey } from '../../api/object.ts';
import { isExcusedRefusal } from '../../engine/plan/refusal.ts';
import { objectsOfPlan, type Plan, type PlannedObject } from '../../engine/plan/plan.ts';
import { ApiError } from '../../kube/errors.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Body } from '../render/job.ts';
import { Halt, heals } from '../release/halt.ts';
import { CONCURRENCY } from './concurrency.ts';
import { type Problem, problemLines, problemOf } from './problem.ts';
import { sendObject } from './updatePolicy.ts';

export interface DryRun {
  cluster: TargetCluster;
  plan: Plan;
  bodies: ReadonlyMap<string, Body>;
  signal: AbortSignal;
}

/**
 * Sends every object with `dryRun=All` before a new render touches anything (apply.md). Left out is what could only be
 * refused for now: instances of types that the render brings, and what lives in a Namespace that it creates.
 * @returns keys of the objects that exist already
 * @throws Halt `DryRunFailed` naming each refused object with the server's own message; nothing is applied
 */
export async function dryRun(run: DryRun): Promise<ObjectKey[]> {
  const objects = objectsOfPlan(run.plan);
  const [namespaces, others] = [
    objects.filter(isNamespace),
    objects.filter((planned) => !isNamespace(planned)),
  ];
  const created = new Set<string>();
  const existing: ObjectKey[] = [];
  const seen = ({ key }: PlannedObject, isNew: boolean): void => {
    if (isNew) created.add(keyString(key));
    else existing.push(key);
  };
  const problems = await attemptAll(run, namespaces, objects, seen);
  const testable = others.filter(
    (planned) => !planned.needs.some((key) => key.kind !== 'Namespace' || created.has(keyString(key))),
  );
  problems.push(...(await attemptAll(run, testable, objects, seen)));
  if (problems.length > 0) throw dryRunFailure(problems);
  return existing;
}

async function attemptAll(
  run: DryRun,
  objects: PlannedObject[],
  render: PlannedObject[],
  onTaken: (planned: PlannedObject, isNew: boolean) => void,
): Promise<Problem[]> {
  const problems = await pMap(
    objects,
    async (planned): Promise<Problem[]> => {
      try {
        const body = run.bodies.get(keyString(planned.key))?.text ?? '';
        const options = { dryRun: true, signal: run.signal };
        const { created } = await sendObject(run.cluster, planned, body, options);
        onTaken(planned, created);
        return [];
      } catch (error) {
        run.signal.throwIfAborted();
        const excused =
          error instanceof ApiError && isExcusedRefusal(error.serverMessage, planned.key.namespace, render);
        return excused ? [] : [problemOf(planned.key, error)];
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
