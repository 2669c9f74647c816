import { describe, keyOf, type KubeObject } from '../../api/object.ts';
import { existence } from '../../engine/plan/existence.ts';
import { isDefinition } from '../../engine/render/types.ts';
import { crdResources } from '../../kube/crdResources.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Deletable } from './judge.ts';

/** Enough to say that there are some, and about how many. */
const LIMIT = 500;

/** What would go with a CRD. */
export interface Instances {
  found: Deletable[];
  /** There are more than were found. */
  more: boolean;
}

export const NO_INSTANCES: Instances = { found: [], more: false };

/** The instances that are left of a CRD when those to be deleted are gone, at most 500; none for any other kind. */
export async function instancesLeft(
  cluster: TargetCluster,
  object: KubeObject,
  signal: AbortSignal,
): Promise<Instances> {
  if (!isDefinition(object)) return NO_INSTANCES;
  // The CRD itself tells where its instances are: what discovery knows of them may be out of date.
  const [resource] = crdResources(object);
  if (resource === undefined) return NO_INSTANCES;
  try {
    const { items, continue: more } = await cluster.client.list(resource, { limit: LIMIT, signal });
    const found = items.map((live) => ({ key: keyOf(live), resource, live }));
    return { found, more: more !== undefined };
  } catch (error) {
    // A CRD that was never in use is not served.
    if (isNotFound(error) && existence(object)?.usable !== true) return NO_INSTANCES;
    throw error;
  }
}

/** Instances that a message names before it only counts. */
const NAMED = 3;

/** As a message says it. */
export function instancesText({ found, more }: Instances): string {
  const count = more
    ? `more than ${found.length} instances`
    : found.length === 1
      ? '1 instance'
      : `${found.length} instances`;
  const names = found.slice(0, NAMED).map(({ key }) => describe(key));
  if (found.length > NAMED) names.push('…');
  return `${count} of it would go with it: ${names.join(', ')}`;
}
