import { join } from 'node:path';

const VERSION_PACKAGE = 'k8s.io/component-base/version';

interface Target {
  /** Folder below this one that holds the go.mod. */
  module: 'kubernetes' | 'kwok';
  /** The main package. */
  package: string;
  /** Linker flags: size, and the version that the binary reports. */
  ldflags: string;
}

const kubernetes = (command: string): Target => ({
  module: 'kubernetes',
  package: `k8s.io/kubernetes/cmd/${command}`,
  ldflags: `-s -w -X ${VERSION_PACKAGE}.gitVersion=v1.37.2 -X ${VERSION_PACKAGE}.gitMajor=1 -X ${VERSION_PACKAGE}.gitMinor=37`,
});

/** Each program of the control plane and where its source is. */
export const TARGETS = {
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kubectl: kubernetes('kubectl'),
  etcd: { module: 'kubernetes', package: 'go.etcd.io/etcd/server/v3', ldflags: '-s -w' },
  kwok: { module: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok', ldflags: '-s -w' },
} as const satisfies Record<string, Target>;

export type BinaryName = keyof typeof TARGETS;

export const BINARY_NAMES = Object.keys(TARGETS) as BinaryName[];

/** kwok's own stages, used as they are; the pod stages of `stages/` are ours. */
export const STOCK_STAGES = [
  'node/fast/node-initialize.yaml',
  'node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'pod/fast/pod-delete.yaml',
] as const;

/** Folder of a module's go.mod. */
export function moduleFolder(module: Target['module']): string {
  return join(import.meta.dirname, module);
}

/** Binaries that one `go build` makes together: same module, same flags. Sharing the call shares the compiling. */
export function batches(names: readonly BinaryName[]): BinaryName[][] {
  const byFlags = Map.groupBy(names, (name) => `${TARGETS[name].module} ${TARGETS[name].ldflags}`);
  return [...byFlags.values()];
}
