import { type Pod, type PodState, podState, type Severity } from './podState.ts';

/** Pods that are not ready for the same reason. */
export interface PodGroup {
  severity: Severity;
  reason: string;
  /** The exit code of their last end, where they have the same. */
  exitCode?: number;
  pods: number;
  /** Fewest and most. */
  restarts: readonly [least: number, most: number];
  /** Of the pod that stands for them. */
  message: string;
  pod: string;
  container?: string;
}

const ORDER: readonly Severity[] = ['failing', 'starting', 'fine'];

/** Pods by what is to be said of them, the worst first. */
export function podGroups(pods: readonly Pod[]): PodGroup[] {
  const groups = new Map<string, PodGroup>();
  for (const pod of pods) {
    const state = podState(pod);
    const key = JSON.stringify([state.reason, state.exitCode, state.container]);
    const group = groups.get(key);
    groups.set(key, group === undefined ? groupOf(pod, state) : joined(group, state));
  }
  return [...groups.values()].sort(
    (a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) || b.pods - a.pods,
  );
}

/** `2 pods: CrashLoopBackOff, exit code 1, 4 restarts`. */
export function podGroupText({ pods, reason, exitCode, restarts: [least, most] }: PodGroup): string {
  const restarts =
    most === 0 ? [] : [`${least === most ? '' : 'up to '}${most} restart${most === 1 ? '' : 's'}`];
  const what = [reason, ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]), ...restarts];
  return `${pods} pod${pods === 1 ? '' : 's'}: ${what.join(', ')}`;
}

function groupOf({ metadata }: Pod, { restarts, ...state }: PodState): PodGroup {
  return { ...state, pods: 1, restarts: [restarts, restarts], pod: metadata.name };
}

function joined(group: PodGroup, { restarts }: PodState): PodGroup {
  const [least, most] = group.restarts;
  return { ...group, pods: group.pods + 1, restarts: [Math.min(least, restarts), Math.max(most, restarts)] };
}
