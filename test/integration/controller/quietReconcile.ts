import { metricsOf, until } from '../../bench/manyReleases.ts';
import type { AuditEvent } from '../../controlplane/audit.ts';
import type { ControlPlane } from '../../controlplane/controlPlane.ts';
import { isByConvoy } from '../../support/auditOrder.ts';
import { NAME, type Releases } from './fixture.ts';

const WRITES = new Set(['create', 'update', 'patch', 'delete']);

/** Makes the Release due, and waits until one more reconcile has ended. @returns the request that made it due */
export async function touch(releases: Releases, plane: ControlPlane, value: string): Promise<AuditEvent> {
  const before = await reconciles(releases);
  await releases.patch({ metadata: { annotations: { touched: value } } });
  const touches = (event: AuditEvent): boolean =>
    event.verb === 'patch' &&
    event.objectRef?.name === NAME &&
    event.objectRef.namespace === releases.namespace &&
    !isByConvoy(event);
  await plane.waitForAuditEvent(touches);
  await until(async () => (await reconciles(releases)) > before);
  const since = (await plane.auditEvents()).findLast(touches);
  if (since === undefined) throw new Error('the touch is in the audit log');
  return since;
}

/** What the controller has asked for since, watches and Events apart, which come in their own time. */
export async function askedSince(plane: ControlPlane, { stageTimestamp }: AuditEvent): Promise<string[]> {
  return (await plane.auditEvents())
    .filter(
      (event) =>
        isByConvoy(event) &&
        event.stage === 'ResponseComplete' &&
        event.requestReceivedTimestamp > stageTimestamp &&
        event.verb !== 'watch' &&
        event.objectRef?.resource !== 'events',
    )
    .map(({ verb, objectRef }) =>
      `${verb} ${objectRef?.resource ?? ''} ${objectRef?.subresource ?? ''}`.trim(),
    );
}

async function reconciles({ controller }: Releases): Promise<number> {
  const metrics = await metricsOf(await controller.url);
  const counts = [...metrics.matchAll(/^convoy_reconciles_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * Has the Release reconciled.
 * @returns what Convoy wrote in the namespace and cluster-wide in that reconcile, and since, as `patch configmaps web`, dry runs included; Events left out,
 * since that of the first apply is written behind it and may come this late
 */
export async function writesOfReconcile(releases: Releases, plane: ControlPlane): Promise<string[]> {
  const first = await touch(releases, plane, 'once');
  // A Release is reconciled once at a time, so the first of them has ended when the second works.
  await touch(releases, plane, 'twice');
  return (await plane.auditEvents())
    .filter(
      (event) =>
        isByConvoy(event) &&
        event.stage === 'ResponseComplete' &&
        event.stageTimestamp > first.stageTimestamp &&
        WRITES.has(event.verb) &&
        event.objectRef?.resource !== 'events' &&
        [undefined, releases.namespace].includes(event.objectRef?.namespace),
    )
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? ''} ${objectRef?.name ?? ''}`);
}
