import { join } from 'node:path';
import type { AuditEvent } from '../controlplane/audit.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { writesOfConvoy } from '../support/auditOrder.ts';
import { createArchive, haveManifests, manifestsFolder } from '../support/manifests.ts';
import { createRelease, waitForReady } from '../support/releases.ts';
import { median, rounded } from './measure.ts';

/**
 * kube-prometheus as one Release: for each CRD that has instances, the time from the CRD being sent to its first
 * instance being sent, in seconds, as the API server's audit log has it. Undefined where the manifests are missing.
 */
export async function crdToFirstInstance(
  say: (line: string) => void,
): Promise<{ worst: number; median: number } | undefined> {
  if (!haveManifests()) return undefined;
  const plane = await startControlPlane({ audit: true, kwok: false, say });
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const controller = await ControllerProcess.start(plane.kubeconfigPath);
    try {
      await applyKubePrometheus(plane);
    } finally {
      await controller.stop();
    }
    const waits = crdWaits(await plane.auditEvents());
    if (waits.length === 0) throw new Error('the audit log shows no CRD with an instance');
    for (const { crd, seconds } of waits)
      say(`${crd}: first instance sent ${rounded(seconds, 3)} s after it`);
    const seconds = waits.map((wait) => wait.seconds);
    return { worst: rounded(Math.max(...seconds), 3), median: rounded(median(seconds), 3) };
  } finally {
    await plane.stop();
  }
}

/** Puts the manifests into a ConfigMap as a tar.gz, makes a Release of them, and waits until all is applied. */
async function applyKubePrometheus(plane: ControlPlane): Promise<void> {
  const namespace = await createNamespace(plane.api, 'bench');
  await createRelease(plane.api, {
    namespace,
    name: 'kube-prometheus',
    spec: { source: { configMap: { name: 'source' } } },
  });
  await createArchive(plane.api, { namespace, name: 'source', folder: manifestsFolder('kube-prometheus') });
  await waitForReady(plane.api, { namespace, name: 'kube-prometheus' }, 'Applied', 120_000);
}

/** For each CRD that has instances: how long until the first of them was sent. */
function crdWaits(events: readonly AuditEvent[]): { crd: string; seconds: number }[] {
  const writes = writesOfConvoy(events).filter(({ verb }) => verb === 'patch');
  return writes
    .filter(({ resource }) => resource === 'customresourcedefinitions')
    .flatMap(({ name, at }) => {
      const instance = writes.find(({ resource, group }) => `${resource}.${group}` === name);
      return instance === undefined ? [] : [{ crd: name, seconds: instance.at - at }];
    });
}
