import { sameContent } from '../../engine/drift/sameContent.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import { withoutSecretValues } from '../../engine/source/secretObject.ts';
import { groupOf, type KubeObject, versionOf } from '../../api/object.ts';
import { ApiError, isRetryable } from '../../kube/errors.ts';
import { findLive } from '../../kube/findLive.ts';
import { refusalWords } from '../../kube/refusal.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { applyObject } from '../apply/applyObject.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Comparison } from '../observer/followed.ts';

interface CompareOptions {
  /** The object is as it was seen last, so that it need not be read. */
  isSeenAs: (object: KubeObject) => boolean;
  signal: AbortSignal;
}

const MISSING: Comparison = { live: undefined, difference: 'it is not there' };

/**
 * How an object stands to what an apply of the body would make of it, by a dry run: nothing is changed. An apply that would
 * only hold fields that already have their value is no difference.
 * @throws ApiError, ConnectionError where it cannot be told now
 */
export async function compareObject(
  cluster: TargetCluster,
  { object, updatePolicy }: PlannedObject,
  body: string,
  { isSeenAs, signal }: CompareOptions,
): Promise<Comparison> {
  const { apiVersion, kind, metadata } = object;
  const resource = await cluster.discovery.resourceFor(groupOf(apiVersion), kind, versionOf(apiVersion));
  if (resource === undefined) return MISSING;
  const wanted = updatePolicy === 'Once' ? undefined : await dryRun(cluster, object, body, signal);
  if (wanted !== undefined && 'object' in wanted && isSeenAs(wanted.object))
    return found(resource, wanted.object, undefined);
  const live = await findLive(cluster.client, resource, metadata, { signal });
  if (live === undefined) return MISSING;
  if (wanted === undefined) return found(resource, live, undefined);
  if ('refusal' in wanted) {
    const words = withoutSecretValues(wanted.refusal, [object, live]);
    return found(resource, live, `an apply would be refused: ${words}`);
  }
  return found(resource, live, sameContent(live, wanted.object) ? undefined : 'changed');
}

function found(resource: ApiResource, object: KubeObject, difference: string | undefined): Comparison {
  return { live: { resource, object }, difference };
}

/** @returns what an apply would make of the object, or what the API server says against it */
async function dryRun(
  cluster: TargetCluster,
  object: KubeObject,
  body: string,
  signal: AbortSignal,
): Promise<{ object: KubeObject } | { refusal: string }> {
  try {
    return await applyObject(cluster, { object, body }, { dryRun: true, signal });
  } catch (error) {
    if (!(error instanceof ApiError) || isRetryable(error, { conflict: true })) throw error;
    return { refusal: refusalWords(error) };
  }
}
