import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AuditEvent } from '../controlplane/audit.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { createRelease, waitForReady } from '../support/releases.ts';
import { median, rounded } from './measure.ts';

export const KUBE_PROMETHEUS = new URL('../../../shared/data/manifests/kube-prometheus', import.meta.url)
  .pathname;

/**
 * kube-prometheus as one Release: for each CRD that has instances, the time from the CRD being sent to its first
 * instance being sent, in seconds, as the API server's audit log has it. Undefined where the manifests are missing.
 */
export async function crdToFirstInstance(
  say: (line: string) => void,
): Promise<{ worst: number; median: number } | undefined> {
  if (!existsSync(KUBE_PROMETHEUS)) return undefined;
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
  await createArchive(plane, namespace);
  await waitForReady(plane.api, { namespace, name: 'kube-prometheus' }, 'Applied', 120_000);
}

export async function createArchive(plane: ControlPlane, namespace: string): Promise<void> {
  const file = join(plane.dir, 'manifests.tar.gz');
  await promisify(execFile)('tar', ['-C', KUBE_PROMETHEUS, '-czf', file, 'manifests']);
  const binaryData = { 'manifests.tar.gz': (await readFile(file)).toString('base64') };
  await plane.api.must('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
    metadata: { name: 'source' },
    binaryData,
  });
}

/** For each CRD that Convoy sent and that has instances: how long until the first of them was sent. */
function crdWaits(events: readonly AuditEvent[]): { crd: string; seconds: number }[] {
  const sent = events.filter(
    ({ verb, stage, userAgent, requestURI }) =>
      verb === 'patch' &&
      stage === 'RequestReceived' &&
      userAgent?.startsWith('convoy') === true &&
      !requestURI.includes('dryRun'),
  );
  return sent
    .filter(({ objectRef }) => objectRef?.resource === 'customresourcedefinitions')
    .flatMap((crd) => {
      const name = crd.objectRef?.name ?? '';
      const instance = sent.find(
        ({ objectRef }) => `${objectRef?.resource ?? ''}.${objectRef?.apiGroup ?? ''}` === name,
      );
      return instance === undefined ? [] : [{ crd: name, seconds: secondsOf(instance) - secondsOf(crd) }];
    });
}

/** Seconds with the microseconds that Date.parse drops. */
function secondsOf({ requestReceivedTimestamp }: AuditEvent): number {
  const micros = /\.(\d+)Z$/.exec(requestReceivedTimestamp)?.[1] ?? '0';
  return Math.floor(Date.parse(requestReceivedTimestamp) / 1000) + Number(`0.${micros}`);
}
