import { HOOK_PHASES, type HookPhase, type SyncStrategy } from '../../api/annotations.ts';
import type { StageName } from '../../api/inventory.ts';
import { keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { readAnnotations } from '../../engine/plan/annotations.ts';
import { planDeletion } from '../../engine/plan/deletion.ts';
import { invalidText } from '../../engine/plan/invalid.ts';
import { hooksOf } from '../../engine/hooks/hook.ts';
import { hookProblems, renderHookProblems } from '../../engine/hooks/problems.ts';
import { orderProblems } from '../../engine/plan/order.ts';
import {
  objectsOfPlan,
  type Plan,
  planOf,
  type PlannedObject,
  type PlannedWave,
} from '../../engine/plan/plan.ts';
import { type Gate, gateOf } from '../../engine/waves/gate.ts';
import { renderTexts } from '../../engine/render/render.ts';
import { guessingScopes } from '../../engine/render/scopes.ts';
import type { PlanInput } from './input.ts';

export interface PlanStage {
  name: StageName;
  objects: ObjectKey[];
}

/** What a wave waits for before it is applied. */
export interface PlanGate {
  /** The wave whose objects must be healthy. */
  after: number;
  /** Milliseconds; undefined: without limit. */
  limitMs: number | undefined;
}

export interface PlanWave {
  number: number;
  gate: PlanGate | undefined;
  stages: PlanStage[];
}

export interface PlanDeleteWave {
  deleteOrder: number;
  stages: PlanStage[];
}

/** How a set of manifests would be applied and deleted. */
/** A lifecycle hook, of the Release or of the source. */
export interface PlanHook {
  phase: HookPhase;
  name: string;
  namespace: string;
}

export interface PlanReport {
  objects: number;
  /** Whether the gates hold: only with spec.healthAssessment (waves.md, axis A, rule 5). */
  assessed: boolean;
  defaultStrategy: SyncStrategy;
  waves: PlanWave[];
  deleteWaves: PlanDeleteWave[];
  /** Run around a sync: by phase, in their order. */
  hooks: PlanHook[];
  /** Never deleted by Convoy (`prune: disabled`). */
  kept: ObjectKey[];
  warnings: string[];
  notes: string[];
  /** Breaches of the order rules, and what this version does not do: such a render is refused. */
  problems: string[];
}

/**
 * Renders and plans without a cluster, by the same code as the controller.
 * @param namespace for objects that have none, where no Release says otherwise
 * @throws RenderError for what the controller would refuse to render
 */
export function planOffline({ texts, release, allowEmpty }: PlanInput, namespace: string): PlanReport {
  const guessed = new Set<string>();
  const targetNamespace = release?.spec.targetNamespace ?? release?.metadata.namespace ?? namespace;
  const rendered = renderTexts(texts, {
    targetNamespace,
    scopeOf: guessingScopes(guessed),
    mutations: release?.spec.mutations ?? [],
    allowEmpty,
    variables: variablesOf(release),
  });
  const report = planReport(rendered.objects, release, rendered.warnings);
  return { ...report, notes: notes(guessed, rendered.objects, targetNamespace) };
}

/**
 * How rendered objects would be applied and deleted.
 * @param release what they are of; undefined for plain manifests
 * @param warnings of the render
 */
export function planReport(
  objects: readonly KubeObject[],
  release: Release | undefined,
  warnings: readonly string[],
): PlanReport {
  const plan = planOf(objects, release?.spec.syncPolicy?.defaultStrategy);
  const planned = objectsOfPlan(plan);
  const kept = planned.filter(({ object }) => readAnnotations(object).pruneDisabled);
  return {
    objects: planned.length,
    assessed: release?.spec.healthAssessment !== undefined,
    defaultStrategy: plan.defaultStrategy,
    waves: plan.waves.map((wave, index) => planWave(wave, plan.waves[index - 1])),
    deleteWaves: deleteWaves(planned, kept),
    hooks: plannedHooks(plan, release),
    kept: kept.map(({ key }) => key),
    warnings: [...warnings, ...plan.invalid.map(invalidText)],
    notes: [],
    problems: [
      ...orderProblems(objects),
      ...(release === undefined ? renderHookProblems(plan) : hookProblems(release, plan)),
    ],
  };
}

/** Plain manifests have those of the source alone. */
function plannedHooks(plan: Plan, release: Release | undefined): PlanHook[] {
  if (release !== undefined)
    return hooksOf(release, plan).map(({ phase, name, namespace }) => ({ phase, name, namespace }));
  return HOOK_PHASES.flatMap((phase) =>
    plan.hooks
      .filter((hook) => hook.phase === phase)
      .map(({ object: { metadata } }) => ({
        phase,
        name: metadata.name,
        namespace: metadata.namespace ?? '',
      })),
  );
}

/** Those of ConfigMaps and Secrets are known on the cluster alone: `waves plan NAME` reads them. */
function variablesOf(release: Release | undefined): Map<string, string> | undefined {
  const { variables = {}, variablesFrom = [] } = release?.spec.content ?? {};
  const entries = Object.entries(variables);
  return entries.length === 0 && variablesFrom.length === 0 ? undefined : new Map(entries);
}

function planWave({ number, stages }: PlannedWave, before: PlannedWave | undefined): PlanWave {
  const objects = stages.flatMap((stage) => stage.objects);
  return {
    number,
    gate: before === undefined ? undefined : gateAfter(before.number, gateOf(objects)),
    stages: stages.map((stage) => ({ name: stage.name, objects: stage.objects.map(({ key }) => key) })),
  };
}

function gateAfter(after: number, gate: Gate | undefined): PlanGate | undefined {
  return gate === undefined ? undefined : { after, limitMs: gate.limitMs };
}

function deleteWaves(planned: readonly PlannedObject[], kept: readonly PlannedObject[]): PlanDeleteWave[] {
  const stays = new Set(kept.map(({ key }) => keyString(key)));
  const entries = planned
    .filter(({ key }) => !stays.has(keyString(key)))
    .map(({ key, stage, deleteOrder }) => ({ ...key, stage, deleteOrder }));
  return planDeletion(
    entries,
    kept.map(({ key }) => key),
  ).map(({ deleteOrder, stages }) => ({
    deleteOrder,
    stages: stages.map(({ name, entries: objects }) => ({
      name,
      objects: objects.map(({ group, kind, namespace, name: own }) => ({
        group,
        kind,
        namespace,
        name: own,
      })),
    })),
  }));
}

function notes(
  guessed: ReadonlySet<string>,
  objects: readonly KubeObject[],
  targetNamespace: string,
): string[] {
  const kinds = [...guessed].sort();
  const taken = objects.some(({ metadata }) => metadata.namespace === targetNamespace)
    ? [`objects without a namespace are planned in ${JSON.stringify(targetNamespace)}`]
    : [];
  if (kinds.length === 0) return taken;
  const are = kinds.length === 1 ? 'is not a kind' : 'are not kinds';
  return [...taken, `${kinds.join(', ')} ${are} that can be known offline: taken for namespaced`];
}
