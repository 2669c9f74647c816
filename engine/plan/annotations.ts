import {
  ADOPTION_POLICIES,
  ADOPTION_POLICY,
  type AdoptionPolicy,
  APPLY_ORDER,
  DEFAULT_ADOPTION_POLICY,
  DEFAULT_DELETE_ORDER,
  DEFAULT_SYNC_TIMEOUT,
  DEFAULT_UPDATE_POLICY,
  DEFAULT_WAVE,
  DELETE_ORDER,
  HEALTH,
  HEALTH_IGNORE,
  HOOK,
  HOOK_PHASES,
  type HookPhase,
  ORDER_MAX,
  ORDER_MIN,
  PRUNE,
  PRUNE_DISABLED,
  PURGE_ORDER,
  SYNC_STRATEGIES,
  SYNC_STRATEGY,
  SYNC_TIMEOUT,
  SYNC_WAVE,
  type SyncStrategy,
  UPDATE_POLICIES,
  UPDATE_POLICY,
  type UpdatePolicy,
} from '../../api/annotations.ts';
import { parsePositiveDuration } from '../../api/duration.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/object.ts';

/** What the annotations of a rendered object say, with defaults for those that are absent or not valid. */
export interface ObjectAnnotations {
  /** From `sync-wave`, else `apply-order`, else 0. */
  wave: number;
  /** Undefined: the render's default (`defaultStrategyOf`). */
  strategy: SyncStrategy | undefined;
  timeoutMs: number;
  applyOrder: number | undefined;
  deleteOrder: number;
  purgeOrder: number | undefined;
  hook: HookPhase | undefined;
  pruneDisabled: boolean;
  updatePolicy: UpdatePolicy;
  adoptionPolicy: AdoptionPolicy;
  healthIgnored: boolean;
}

/** An annotation whose value is none of those allowed: the default holds, and the user is warned. */
export interface InvalidAnnotation {
  key: ObjectKey;
  annotation: string;
  value: string;
  allowed: string;
}

const INTEGER = /^-?[0-9]{1,10}$/;
const DEFAULT_TIMEOUT_MS = parsePositiveDuration(DEFAULT_SYNC_TIMEOUT) ?? NaN;

/**
 * Reads Convoy's annotations of one object. A value that is not valid is no error (api.md).
 * @param invalid gets an entry for each of those
 */
export function readAnnotations(object: KubeObject, invalid: InvalidAnnotation[] = []): ObjectAnnotations {
  const { annotations = {} } = object.metadata;
  const read = <T>(annotation: string, allowed: string, parse: (value: string) => T | undefined) => {
    if (!Object.hasOwn(annotations, annotation)) return undefined;
    const value = annotations[annotation] ?? '';
    const parsed = parse(value);
    if (parsed === undefined) invalid.push({ key: keyOf(object), annotation, value, allowed });
    return parsed;
  };
  const order = (annotation: string) =>
    read(annotation, `an integer from ${ORDER_MIN} to ${ORDER_MAX}`, parseOrder);
  const choice = <T extends string>(annotation: string, choices: readonly T[]) =>
    read(annotation, choices.join(', '), (value) => choices.find((one) => one === value));

  const applyOrder = order(APPLY_ORDER);
  return {
    wave: order(SYNC_WAVE) ?? applyOrder ?? DEFAULT_WAVE,
    strategy: choice(SYNC_STRATEGY, SYNC_STRATEGIES),
    timeoutMs:
      read(SYNC_TIMEOUT, 'a duration over 0, such as 30s', parsePositiveDuration) ?? DEFAULT_TIMEOUT_MS,
    applyOrder,
    deleteOrder: order(DELETE_ORDER) ?? DEFAULT_DELETE_ORDER,
    purgeOrder: order(PURGE_ORDER),
    hook: choice(HOOK, HOOK_PHASES),
    pruneDisabled: choice(PRUNE, [PRUNE_DISABLED]) !== undefined,
    updatePolicy: choice(UPDATE_POLICY, UPDATE_POLICIES) ?? DEFAULT_UPDATE_POLICY,
    adoptionPolicy: choice(ADOPTION_POLICY, ADOPTION_POLICIES) ?? DEFAULT_ADOPTION_POLICY,
    healthIgnored: choice(HEALTH, [HEALTH_IGNORE]) !== undefined,
  };
}

function parseOrder(text: string): number | undefined {
  const order = INTEGER.test(text) ? Number(text) : NaN;
  if (!(order >= ORDER_MIN && order <= ORDER_MAX)) return undefined;
  return order === 0 ? 0 : order;
}
