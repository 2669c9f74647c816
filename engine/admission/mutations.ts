import type { Mutation } from '../../api/release.ts';
import { checkMutation } from '../mutations/check.ts';
import { RENDER_LIMITS } from '../render/limits.ts';
import { hasContainers } from '../render/podSpec.ts';
import { builtInScope } from '../render/scopes.ts';
import { keyProblem, labelValueProblem } from './labels.ts';
import { keyAndValueProblems } from './selectors.ts';

/** @returns a message for each mutation that could not do what it says, on any object */
export function mutationProblems(mutations: readonly Mutation[]): string[] {
  return mutations.flatMap((mutation, index) => {
    const path = `spec.mutations[${index}]`;
    return [
      ...checkMutation(mutation, path, RENDER_LIMITS.depth).map(
        ({ where, what, remedy }) => `${where}: ${what}: ${remedy}`,
      ),
      ...targetSelectorProblems(mutation, `${path}.target`),
      ...targetProblems(mutation, `${path}.target`),
      ...labelProblems(mutation, `${path}.labels`),
      ...annotationProblems(mutation, `${path}.annotations`),
      ...patchProblems(mutation, `${path}.jsonPatch`),
    ];
  });
}

function targetSelectorProblems({ target = {} }: Mutation, path: string): string[] {
  const { labelSelector = {}, annotationSelector = {} } = target;
  return [
    ...keyAndValueProblems(labelSelector, labelValueProblem).map((problem) => `labelSelector.${problem}`),
    ...keyAndValueProblems(annotationSelector, () => undefined).map(
      (problem) => `annotationSelector.${problem}`,
    ),
  ].map((problem) => `${path}.${problem}`);
}

/** Only for kinds of Kubernetes itself, by their group: a kind of that name in another group is another kind. */
function targetProblems({ type, target }: Mutation, path: string): string[] {
  const { group, kind, namespace } = target ?? {};
  if (group === undefined || kind === undefined) return [];
  const scope = builtInScope(group, kind);
  if (scope === undefined) return [];
  const problems: string[] = [];
  if (scope === 'Cluster' && namespace !== undefined && namespace !== '')
    problems.push(`${path}.namespace: ${named(group, kind)} has no namespace: leave it out`);
  if (type === 'images' && !hasContainers(group, kind))
    problems.push(`${path}.kind: ${named(group, kind)} has no containers, so no image: choose another kind`);
  return problems;
}

function labelProblems({ labels = {} }: Mutation, path: string): string[] {
  return Object.entries(labels).flatMap(([key, value]) =>
    [keyProblem(key), labelValueProblem(value)].flatMap((problem) =>
      problem === undefined ? [] : [`${path}: ${problem}`],
    ),
  );
}

function annotationProblems({ annotations = {} }: Mutation, path: string): string[] {
  return Object.keys(annotations).flatMap((key) => {
    const problem = keyProblem(key);
    return problem === undefined ? [] : [`${path}: ${problem}`];
  });
}

/** What each operation of RFC 6902 needs beside its path. */
const NEEDED = {
  add: 'value',
  replace: 'value',
  test: 'value',
  move: 'from',
  copy: 'from',
  remove: undefined,
} as const;

function patchProblems({ jsonPatch = [] }: Mutation, path: string): string[] {
  return jsonPatch.flatMap((operation, index) => {
    const needed = NEEDED[operation.op];
    if (needed === undefined || Object.hasOwn(operation, needed)) return [];
    return [`${path}[${index}]: ${operation.op} needs ${needed}: add it`];
  });
}

function named(group: string, kind: string): string {
  return group === '' ? `a ${kind}` : `a ${kind} of ${group}`;
}
