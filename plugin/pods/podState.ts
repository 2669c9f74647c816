import type { KubeObject } from '../../api/object.ts';

interface Ended {
  exitCode?: number;
  reason?: string;
}

interface ContainerStatus {
  name: string;
  restartCount?: number;
  ready?: boolean;
  state?: { waiting?: { reason?: string; message?: string }; running?: object; terminated?: Ended };
  lastState?: { terminated?: Ended };
}

interface PodCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

/** The parts of a pod that tell why it is not ready. */
export interface Pod extends KubeObject {
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    conditions?: PodCondition[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
  };
}

/** Why a pod is not ready, or that it is. */
export interface PodState {
  severity: Severity;
  /** As Kubernetes names it: `CrashLoopBackOff`, `Unschedulable`; `ready`, `not ready`. */
  reason: string;
  message: string;
  /** The container that it is about. */
  container?: string;
  /** Of that container: how it ended last. */
  exitCode?: number;
  /** Of that container, or of all where it is about none. */
  restarts: number;
}

export type Severity = 'failing' | 'starting' | 'fine';

/** A container waits for these at every start. */
const STARTING: ReadonlySet<string | undefined> = new Set([
  'ContainerCreating',
  'PodInitializing',
  undefined,
]);

type Judge = (pod: Pod, containers: readonly ContainerStatus[]) => PodState | undefined;

/** The first that says something is the worst that can be said. */
const JUDGES: readonly Judge[] = [stuck, ended, failed, unschedulable, goingAway, finished, ready, notReady];

/** The worst that there is to say of a pod. */
export function podState(pod: Pod): PodState {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const containers = [...initContainerStatuses, ...containerStatuses];
  for (const judge of JUDGES) {
    const state = judge(pod, containers);
    if (state !== undefined) return state;
  }
  return { severity: 'starting', reason: pod.status?.phase ?? 'no status yet', message: '', restarts: 0 };
}

/** Waits for something that does not come by itself: an image, a setting, the end of its back-off. */
function stuck(_: Pod, containers: readonly ContainerStatus[]): PodState | undefined {
  const container = containers.find(
    ({ state }) => state?.waiting !== undefined && !STARTING.has(state.waiting.reason),
  );
  if (container === undefined) return undefined;
  const { reason = '', message = '' } = container.state?.waiting ?? {};
  const last = container.lastState?.terminated;
  return {
    severity: 'failing',
    // OOMKilled tells more than the back-off that follows it.
    reason: last?.reason === undefined || PLAIN_ENDS.has(last.reason) ? reason : `${reason}, ${last.reason}`,
    message,
    ...about(container, last),
  };
}

const PLAIN_ENDS: ReadonlySet<string> = new Set(['Error', 'Completed']);

function ended(_: Pod, containers: readonly ContainerStatus[]): PodState | undefined {
  const container = containers.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const end = container?.state?.terminated;
  if (container === undefined || end === undefined) return undefined;
  return { severity: 'failing', reason: end.reason ?? 'Error', message: '', ...about(container, end) };
}

/** Evicted, past its deadline: no container tells. */
function failed({ status }: Pod, containers: readonly ContainerStatus[]): PodState | undefined {
  if (status?.phase !== 'Failed') return undefined;
  const { reason = 'Failed', message = '' } = status;
  return { severity: 'failing', reason, message, restarts: restartsOf(containers) };
}

function unschedulable(pod: Pod): PodState | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  const { reason = 'Unschedulable', message = '' } = scheduled;
  return { severity: 'failing', reason, message, restarts: 0 };
}

function goingAway({ metadata }: Pod, containers: readonly ContainerStatus[]): PodState | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  return { severity: 'fine', reason: 'being deleted', message: '', restarts: restartsOf(containers) };
}

function finished({ status }: Pod, containers: readonly ContainerStatus[]): PodState | undefined {
  if (status?.phase !== 'Succeeded') return undefined;
  return { severity: 'fine', reason: 'ended well', message: '', restarts: restartsOf(containers) };
}

function ready(pod: Pod, containers: readonly ContainerStatus[]): PodState | undefined {
  if (conditionOf(pod, 'Ready')?.status !== 'True') return undefined;
  return { severity: 'fine', reason: 'ready', message: '', restarts: restartsOf(containers) };
}

/** It runs, and its readiness probe does not let it pass. */
export const NOT_READY = 'not ready';

function notReady(pod: Pod, containers: readonly ContainerStatus[]): PodState | undefined {
  const starting = containers.find(({ state }) => state?.waiting !== undefined);
  const restarts = restartsOf(containers);
  if (starting !== undefined) {
    const { reason = 'waiting', message = '' } = starting.state?.waiting ?? {};
    return { severity: 'starting', reason, message, container: starting.name, restarts };
  }
  const condition = conditionOf(pod, 'Ready');
  if (condition === undefined) return undefined;
  const running = containers.find(
    ({ state, ready: isReady }) => state?.running !== undefined && isReady !== true,
  );
  return {
    ...{ severity: 'starting', reason: NOT_READY, message: condition.message ?? '', restarts },
    ...(running === undefined ? {} : { container: running.name }),
  };
}

function about(container: ContainerStatus, end: Ended | undefined) {
  const { name, restartCount: restarts = 0 } = container;
  return { container: name, restarts, ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }) };
}

function restartsOf(containers: readonly ContainerStatus[]): number {
  return containers.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}

function conditionOf({ status }: Pod, type: string): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
