import { join } from 'node:path';
import type { AuditEvent } from '../controlplane/audit.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { secondsOf, writesOfConvoy } from '../support/auditOrder.ts';
import { createArchive, haveManifests, manifestsFolder } from '../support/manifests.ts';
import { createRelease, waitForReady } from '../support/releases.ts';
import { median, rounded } from './measure.ts';

interface CrdWait {
  crd: string;
  /** From the CRD being sent to its first instance being sent. */
  seconds: number;
  /** From the CRD being served to its first instance being sent. */
  ownSeconds: number;
}

/** Seconds. */
export interface CrdLatency {
  first: number;
  median: number;
  worst: number;
  /** The worst that Convoy adds to the time that the API server takes. */
  ownWorst: number;
}

function summary(waits: CrdWait[]): CrdLatency {
  const seconds = waits.map((wait) => wait.seconds);
  return {
    first: rounded(Math.min(...seconds), 3),
    median: rounded(median(seconds), 3),
    worst: rounded(Math.max(...seconds), 3),
    ownWorst: rounded(Math.max(...waits.map((wait) => wait.ownSeconds)), 3),
  };
}

/**
 * kube-prometheus as one Release: for each CRD that has instances, the time from the CRD being sent to its first
 * instance being sent, in seconds, as the API server's audit log has it. Undefined where the manifests are missing.
 */
export async function crdToFirstInstance(say: (line: string) => void): Promise<CrdLatency | undefined> {
  if (!haveManifests()) return undefined;
  const plane = await startControlPlane({ audit: true, kwok: false, say });
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const controller = await ControllerProcess.start(plane.kubeconfigPath, [], 'shipped');
    try {
      await applyKubePrometheus(plane);
    } finally {
      await controller.stop();
    }
    const waits = crdWaits(await plane.auditEvents());
    if (waits.length === 0) throw new Error('the audit log shows no CRD with an instance');
    for (const { crd, seconds, ownSeconds } of waits) {
      say(
        `${crd}: first instance sent ${rounded(seconds, 3)} s after it, ${rounded(ownSeconds, 3)} s after it was served`,
      );
    }
    return summary(waits);
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

/**
 * For each CRD that has instances: how long until the first of them was sent, and which part of it was not the API
 * server's own, which takes a CRD into use in two updates of its status.
 */
function crdWaits(events: readonly AuditEvent[]): CrdWait[] {
  const writes = writesOfConvoy(events).filter(({ verb }) => verb === 'patch');
  return writes
    .filter(({ resource }) => resource === 'customresourcedefinitions')
    .flatMap(({ name, at }) => {
      const instance = writes.find(({ resource, group }) => `${resource}.${group}` === name);
      if (instance === undefined) return [];
      const served = statusUpdates(events, name).filter((updated) => updated < instance.at);
      return [{ crd: name, seconds: instance.at - at, ownSeconds: instance.at - Math.max(at, ...served) }];
    });
}

/** When the API server had written the status of a CRD. */
function statusUpdates(events: readonly AuditEvent[], crd: string): number[] {
  return events
    .filter(
      ({ stage, verb, objectRef }) =>
        stage === 'ResponseComplete' && verb === 'update' && objectRef?.name === crd,
    )
    .map(({ stageTimestamp }) => secondsOf(stageTimestamp));
}
