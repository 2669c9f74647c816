import { HOOK } from '../../api/annotations.ts';
import { MAX_HOOKS } from '../../api/limits.ts';
import { describe, groupOf, keyOf, type KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { Plan } from '../plan/plan.ts';
import { hooksOf } from './hook.ts';

/**
 * What is wrong with the hooks of a render and of its Release taken together (apply.md, "Lifecycle hooks").
 * @returns a message for each, with the remedy
 */
export function hookProblems(release: Release, plan: Pick<Plan, 'hooks'>): string[] {
  return [...renderHookProblems(plan), ...twins(release, plan), ...tooMany(release, plan)];
}

/** Only a Job can be a hook: nothing else ends. */
export function renderHookProblems({ hooks }: Pick<Plan, 'hooks'>): string[] {
  return hooks
    .filter(({ object }) => !isJob(object))
    .map(
      ({ object, phase }) =>
        `${describe(keyOf(object))}: annotation ${HOOK}: ${phase}: only a Job (batch/v1) can be a hook – ` +
        'take the annotation off to have it applied as a resource, or put the work into a Job',
    );
}

function isJob({ apiVersion, kind }: KubeObject): boolean {
  return groupOf(apiVersion) === 'batch' && kind === 'Job';
}

/** The status could not tell them apart. */
function twins(release: Release, plan: Pick<Plan, 'hooks'>): string[] {
  const groups = Map.groupBy(
    hooksOf(release, plan),
    ({ phase, namespace, name }) => `${phase}/${namespace}/${name}`,
  );
  return [...groups.values()].flatMap(([hook, twin]) => {
    if (hook === undefined || twin === undefined) return [];
    const { phase, name, namespace } = hook;
    return [
      `spec.lifecycleHooks.${phase}: ${name} is the name of a ${phase} hook of the render in ${namespace} too: ` +
        'give one of the two another name',
    ];
  });
}

function tooMany(release: Release, plan: Pick<Plan, 'hooks'>): string[] {
  const count = hooksOf(release, plan).length;
  if (count <= MAX_HOOKS) return [];
  return [`the Release has ${count} hooks, and at most ${MAX_HOOKS} are run: put several into one Job`];
}
