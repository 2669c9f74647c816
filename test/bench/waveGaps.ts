import { join } from 'node:path';
import type { AuditEvent } from '../controlplane/audit.ts';
import { startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { secondsOf, writesOfConvoy } from '../support/auditOrder.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { createRelease, waitForReady } from '../support/releases.ts';
import { deploymentIn, sourceOf } from '../support/wavedObjects.ts';
import { rounded } from './measure.ts';

const RELEASES = Number(process.env['BENCH_ROUNDS'] ?? 3);
const WAVES = 8;

/**
 * Waves of one Deployment each on nodes where its pods take their time: from a wave being ready, as its status is written,
 * to the first object of the next one being sent, as the API server's audit log has both. Milliseconds, one for each gate.
 */
export async function gapsBetweenWaves(say: (line: string) => void): Promise<number[]> {
  const plane = await startControlPlane({ audit: true, say });
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const controller = await ControllerProcess.start(plane.kubeconfigPath, [], 'shipped');
    try {
      const namespace = await createNamespace(plane.api, 'bench');
      for (let index = 0; index < RELEASES; index++) {
        const name = `r${index}`;
        const objects = Array.from({ length: WAVES }, (_, wave) =>
          deploymentIn({ wave, strategy: 'waitForHealthy' }, `${name}-w${wave}`, {}, 2),
        );
        await createRelease(plane.api, {
          namespace,
          name,
          spec: { source: { inline: sourceOf(...objects) }, healthAssessment: {} },
        });
        await waitForReady(plane.api, { namespace, name }, 'Applied', 120_000);
      }
    } finally {
      await controller.stop();
    }
    const gaps = gapsIn(await plane.auditEvents());
    if (gaps.length !== RELEASES * (WAVES - 1))
      throw new Error(`the audit log shows ${gaps.length} of ${RELEASES * (WAVES - 1)} gates`);
    for (const gap of gaps) say(`the next wave began ${rounded(gap, 1)} ms after the one before was ready`);
    return gaps;
  } finally {
    await plane.stop();
  }
}

function gapsIn(events: readonly AuditEvent[]): number[] {
  const sent = new Map<string, number>();
  for (const { resource, name, at } of writesOfConvoy(events)) {
    if (resource === 'deployments' && !sent.has(name)) sent.set(name, at);
  }
  return [...sent].flatMap(([name, at]) => {
    const [release = '', wave = ''] = name.split('-w');
    const ready = statusWrites(events, `${release}-w${Number(wave) - 1}`).filter((written) => written <= at);
    return ready.length === 0 ? [] : [(at - Math.max(...ready)) * 1000];
  });
}

/** When the status of a Deployment was written. */
function statusWrites(events: readonly AuditEvent[], name: string): number[] {
  return events
    .filter(
      ({ stage, verb, objectRef }) =>
        stage === 'ResponseComplete' &&
        ['update', 'patch'].includes(verb) &&
        objectRef?.resource === 'deployments' &&
        objectRef.subresource === 'status' &&
        objectRef.name === name,
    )
    .map(({ stageTimestamp }) => secondsOf(stageTimestamp));
}
