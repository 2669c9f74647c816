import type { UpdatePolicy } from '../../api/annotations.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import type { TargetCluster } from '../cluster.ts';
import { applyObject, type Sendable, type SendOptions, type Sent } from './applyObject.ts';
import { createOnce } from './createOnce.ts';
import { applyOrRecreate } from './recreate.ts';

type Send = (cluster: TargetCluster, sendable: Sendable, options: SendOptions) => Promise<Sent>;

const POLICIES: Readonly<Record<UpdatePolicy, Send>> = {
  Apply: applyObject,
  Recreate: applyOrRecreate,
  Once: createOnce,
};

/**
 * Brings one object about as its `update-policy` says.
 * @throws ApiError, ConnectionError; Halt where the cluster does not serve the type, or the object cannot be recreated
 */
export async function sendObject(
  cluster: TargetCluster,
  { object, updatePolicy }: PlannedObject,
  body: string,
  options: SendOptions,
): Promise<Sent> {
  return await POLICIES[updatePolicy](cluster, { object, body }, options);
}
