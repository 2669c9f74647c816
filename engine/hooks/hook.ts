import { HOOK_PHASES, type HookPhase, SYNC_TIMEOUT } from '../../api/annotations.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { parseDuration, parsePositiveDuration } from '../../api/duration.ts';
import type { KubeObject } from '../../api/object.ts';
import type { HookStatus, LifecycleHook, Release } from '../../api/release.ts';
import type { Plan, PlannedHook } from '../plan/plan.ts';
import { isMap } from '../render/objects.ts';

/** A lifecycle hook as a Release has it, wherever it stands. */
export interface Hook {
  phase: HookPhase;
  /** In spec.lifecycleHooks, or of the Job in the render. */
  name: string;
  /** Of its Job. */
  namespace: string;
  /** What its Job has besides its spec. */
  metadata: Pick<KubeObject['metadata'], 'labels' | 'annotations' | 'finalizers'>;
  spec: Record<string, unknown>;
  timeoutMs: number;
  /** Its failure ends the sync. */
  isRequired: boolean;
}

/** What tells one hook of a Release from all others. */
type HookId = Pick<HookStatus, 'phase' | 'namespace' | 'name'>;

const DEFAULT_TIMEOUT_MS = parseDuration(DEFAULTS.hookTimeout) ?? NaN;

/** All hooks of a Release, by phase: those of the spec in their order, then those of the render by their waves (apply.md). */
export function hooksOf(release: Release, { hooks: planned }: Pick<Plan, 'hooks'>): Hook[] {
  const { spec, metadata } = release;
  const namespace = spec.targetNamespace ?? metadata.namespace ?? '';
  return HOOK_PHASES.flatMap((phase) => [
    ...(spec.lifecycleHooks?.[phase] ?? []).map((hook) => hookOfSpec(hook, phase, namespace)),
    ...planned.filter((hook) => hook.phase === phase).map((hook) => hookOfRender(hook, namespace)),
  ]);
}

export function isSameHook(a: HookId, b: HookId): boolean {
  return a.phase === b.phase && a.namespace === b.namespace && a.name === b.name;
}

function hookOfSpec(
  { name, job, timeout, onFailure = DEFAULTS.hookOnFailure }: LifecycleHook,
  phase: HookPhase,
  namespace: string,
): Hook {
  const timeoutMs = (timeout === undefined ? undefined : parseDuration(timeout)) ?? DEFAULT_TIMEOUT_MS;
  return { phase, name, namespace, metadata: {}, spec: job, timeoutMs, isRequired: onFailure === 'Fail' };
}

function hookOfRender({ object, phase }: PlannedHook, fallback: string): Hook {
  const { name, namespace = fallback, labels = {}, annotations = {}, finalizers = [] } = object.metadata;
  const timeoutMs = parsePositiveDuration(annotations[SYNC_TIMEOUT] ?? '') ?? DEFAULT_TIMEOUT_MS;
  const { spec } = object;
  return {
    ...{ phase, name, namespace, timeoutMs },
    metadata: { labels, annotations, finalizers },
    spec: isMap(spec) ? spec : {},
    isRequired: true,
  };
}
