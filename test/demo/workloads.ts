import type { KubeObject } from '../../api/object.ts';

/** How far a workload is: `done` of `want` pods. */
export interface Progress {
  done: number;
  want: number;
  isReady: boolean;
}

interface Workload extends KubeObject {
  spec?: { replicas?: number; completions?: number };
  status?: {
    observedGeneration?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    succeeded?: number;
    conditions?: { type: string; status: string; message?: string }[];
  };
}

/** Kinds that run pods, and how far one is. The status counts only when it speaks of the spec that stands. */
const PROGRESS: Readonly<Record<string, (workload: Workload) => Progress>> = {
  Deployment: replicas,
  StatefulSet: replicas,
  Job: ({ spec, status }) => {
    const isReady =
      status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True') ?? false;
    return { done: status?.succeeded ?? 0, want: spec?.completions ?? 1, isReady };
  },
};

/** How far a workload is; undefined for kinds that run no pods. */
export function progressOf(object: KubeObject): Progress | undefined {
  return PROGRESS[object.kind]?.(object);
}

function replicas({ metadata, spec, status }: Workload): Progress {
  const want = spec?.replicas ?? 1;
  const isCurrent = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const done = isCurrent ? Math.min(status?.updatedReplicas ?? 0, status?.availableReplicas ?? 0) : 0;
  return { done, want, isReady: isCurrent && done >= want };
}
