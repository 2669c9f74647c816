import type { ObjectKey } from '../../api/object.ts';

interface Excuse {
  kinds: readonly string[];
  /** Where the named object lives. */
  scope: 'same-namespace' | 'cluster';
  /** How the API server says that it is absent; the first group is the name. */
  pattern: RegExp;
}

/** Refusals of a dry run that only say that another object is not there yet. */
const EXCUSES: readonly Excuse[] = [
  {
    kinds: ['ServiceAccount'],
    scope: 'same-namespace',
    pattern: /error looking up service account [^:]*: serviceaccounts? "([^"]+)" not found/,
  },
  {
    kinds: ['Role'],
    scope: 'same-namespace',
    pattern: /(?<!cluster)roles\.rbac\.authorization\.k8s\.io "([^"]+)" not found/,
  },
  {
    kinds: ['ClusterRole'],
    scope: 'cluster',
    pattern: /clusterroles\.rbac\.authorization\.k8s\.io "([^"]+)" not found/,
  },
  { kinds: ['PriorityClass'], scope: 'cluster', pattern: /no PriorityClass with name ([^\s"]+) was found/ },
  { kinds: ['RuntimeClass'], scope: 'cluster', pattern: /RuntimeClass "?([^"\s]+)"? not found/i },
  { kinds: ['Namespace'], scope: 'cluster', pattern: /namespaces "([^"]+)" not found/ },
];

/**
 * Whether a refusal in the dry run comes from another object of the same render not being there yet (apply.md).
 * @param message the API server's own
 * @param namespace of the refused object
 * @param render everything that will be applied
 */
export function isExcusedRefusal(
  message: string,
  namespace: string,
  render: readonly { key: ObjectKey }[],
): boolean {
  return EXCUSES.some(({ kinds, scope, pattern }) => {
    const name = pattern.exec(message)?.[1];
    if (name === undefined) return false;
    const home = scope === 'cluster' ? '' : namespace;
    return render.some(({ key }) => kinds.includes(key.kind) && key.name === name && key.namespace === home);
  });
}
