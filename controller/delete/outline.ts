import type { KubeObject } from '../../api/object.ts';
import { isDefinition } from '../../engine/render/types.ts';

/**
 * What a deletion has to know of an object until it is gone: which one it is and what holds it. Of thousands, whole ones
 * would fill the memory. A CustomResourceDefinition stays whole: it tells where its instances are.
 */
export function outlineOf(object: KubeObject): KubeObject {
  if (isDefinition(object)) return object;
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, resourceVersion, deletionTimestamp, finalizers } = metadata;
  const { conditions } = (object['status'] ?? {}) as { conditions?: unknown };
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    ...(conditions === undefined ? {} : { status: { conditions } }),
  };
}
