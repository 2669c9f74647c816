import { groupOf, type KubeObject } from '../../api/object.ts';
import { existence } from '../../engine/plan/existence.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '../../kube/builtIn.ts';
import { crdResources } from '../../kube/crdResources.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';
import type { TargetCluster } from '../cluster.ts';

/**
 * Waits until CRDs for all these objects are in use, whoever brings them: an operator may do so when it runs (edge case 2).
 * Discovery knows the types then.
 * @throws where the signal aborts
 */
export async function typesInUse(
  { watcher, discovery }: TargetCluster,
  objects: readonly KubeObject[],
  onFault: (fault: ReflectorFault) => void,
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set(objects.map((object) => typeOf(groupOf(object.apiVersion), object.kind)));
  const all = Promise.withResolvers<undefined>();
  const watch = new Reflector(listWatchOf(watcher, CUSTOM_RESOURCE_DEFINITIONS), {
    onFault,
    transform: withoutSchemas,
  });
  const seen = (crd: KubeObject): void => {
    if (existence(crd)?.usable !== true) return;
    for (const resource of crdResources(crd)) {
      discovery.register(resource);
      missing.delete(typeOf(resource.group, resource.kind));
    }
    if (missing.size === 0) all.resolve(undefined);
  };
  watch.addHandler({ onAdd: seen, onUpdate: seen });
  const done = new AbortController();
  void watch.run(AbortSignal.any([signal, done.signal]));
  try {
    await unlessAborted(all.promise, signal);
  } finally {
    done.abort();
  }
}

function typeOf(group: string, kind: string): string {
  return `${group}/${kind}`;
}

/** They are nearly all of a CRD. */
function withoutSchemas(crd: KubeObject): KubeObject {
  const { versions = [] } = (crd['spec'] ?? {}) as { versions?: { name: string; served: boolean }[] };
  const spec = {
    ...(crd['spec'] as object),
    versions: versions.map(({ name, served }) => ({ name, served })),
  };
  return { ...crd, spec };
}
