import type { KubeObject } from '../api/object.ts';
import { isRecord, listOf, textOf } from './json.ts';
import type { ApiResource } from './resource.ts';
import { compareVersions } from './versions.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The resources that a CustomResourceDefinition (apiextensions.k8s.io/v1) will serve, the preferred version first; none where it is not well formed. */
export function crdResources(crd: KubeObject): ApiResource[] {
  const spec = isRecord(crd['spec']) ? crd['spec'] : {};
  const names = isRecord(spec['names']) ? spec['names'] : {};
  const [group, kind, plural] = [textOf(spec['group']), textOf(names['kind']), textOf(names['plural'])];
  if (group === '' || kind === '' || plural === '') return [];
  const versions = listOf(spec['versions'])
    .filter((version) => isRecord(version) && version['served'] === true)
    .map((version) => (isRecord(version) ? textOf(version['name']) : ''))
    .filter((version) => version !== '');
  return versions.sort(compareVersions).map((version) => ({
    group,
    version,
    kind,
    plural,
    namespaced: spec['scope'] === 'Namespaced',
    verbs: [...VERBS],
  }));
}
