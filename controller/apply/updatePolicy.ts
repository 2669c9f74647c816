import type { UpdatePolicy } from '../../api/annotations.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import type { TargetCluster } from '../cluster.ts';
import { applyObject, type Sendable, type SendOptions, type Sent } from './applyObject.ts';
import { createOnce } from './createOnce.ts';
import { applyOrRecreate } from './recreate.ts';
import { takeOverFields } from './takeOver.ts';

interface PolicyOptions extends SendOptions {
  /** UID of the object that is known to be the Release's; one that has another is adopted. */
  knownUid: string | undefined;
}

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
  options: PolicyOptions,
): Promise<Sent> {
  const send = POLICIES[updatePolicy];
  const sent = await send(cluster, { object, body }, options);
  const isAdopted = !sent.created && sent.object.metadata.uid !== options.knownUid;
  if (!isAdopted || updatePolicy === 'Once' || options.dryRun === true) return sent;
  const isHandedOver = await takeOverFields(cluster.client, sent.resource, sent.object, options.signal);
  return isHandedOver ? await send(cluster, { object, body }, options) : sent;
}
