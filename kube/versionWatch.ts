import type { KubeObject } from '../api/object.ts';
import type { KubeClient } from './client.ts';
import { listWatchOf, type Scope } from './listWatch.ts';
import { Reflector, type ReflectorOptions } from './reflector.ts';
import type { ApiResource } from './resource.ts';

/**
 * Mirrors which versions there are of objects, and nothing else of them: whoever reads them learns that they are others. What
 * they hold stays on the server.
 */
export function versionReflector(
  client: KubeClient,
  resource: ApiResource,
  scope: Scope,
  options: Pick<ReflectorOptions<KubeObject>, 'onFault' | 'crowd'>,
): Reflector<KubeObject> {
  const metadataOnly = listWatchOf(client, resource, { ...scope, metadataOnly: true });
  return new Reflector<KubeObject>(metadataOnly, { ...options, transform: versionOnly });
}

function versionOnly({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } };
}
