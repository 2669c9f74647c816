import type { ApiObject } from '../controlplane/apiAccess.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { secondsOf } from './auditOrder.ts';

interface Deployment {
  metadata: { generation?: number };
  spec: { replicas?: number };
  status?: { observedGeneration?: number; updatedReplicas?: number; availableReplicas?: number };
}

/**
 * When the API server first received a status of each Deployment that says that all of its pods are of the newest version
 * and available, by `namespace/name`; seconds since 1970.
 */
export function firstAvailable(events: readonly AuditEvent[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { stage, objectRef, requestObject, requestReceivedTimestamp, responseStatus } of events) {
    if (stage !== 'ResponseComplete' || objectRef?.resource !== 'deployments') continue;
    if (objectRef.subresource !== 'status' || (responseStatus?.code ?? 500) >= 300) continue;
    if (requestObject === undefined || !isAvailable(requestObject)) continue;
    const id = `${objectRef.namespace ?? ''}/${objectRef.name ?? ''}`;
    const at = secondsOf(requestReceivedTimestamp);
    found.set(id, Math.min(found.get(id) ?? at, at));
  }
  return found;
}

/** Whether a Deployment says that all of its pods are of the newest version and available. */
export function isAvailable(deployment: ApiObject): boolean {
  const { metadata, spec, status } = deployment as unknown as Deployment;
  const { replicas = 1 } = spec;
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  return (
    observedGeneration >= (metadata.generation ?? 0) &&
    updatedReplicas >= replicas &&
    availableReplicas >= replicas
  );
}
