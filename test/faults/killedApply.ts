import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Release } from '../../api/release.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { type Identities, inventoryOf, labelledObjects } from '../support/liveObjects.ts';
import { createArchive, manifestsFolder } from '../support/manifests.ts';
import { createRelease, readyMessage, releasesPath, waitForReady } from '../support/releases.ts';

const NAME = 'kube-prometheus';
const TIMEOUT_MS = 300_000;

/** What a run leaves behind, without what differs from run to run (UIDs, times). */
export interface EndState {
  live: string[];
  inventory: string[];
  /** Entries whose UID is not that of the live object. */
  untrue: string[];
  message: string;
  renderRef: string;
  historyLength: number;
}

export interface KilledRun {
  /** Part of an undisturbed run's time after which the controller was killed. */
  moment: number;
  state: EndState;
  /** Objects left when the Release was deleted. */
  leaked: string[];
}

export interface Outcome {
  undisturbed: EndState;
  killed: KilledRun[];
}

/**
 * Applies kube-prometheus once undisturbed and then once per moment, where the controller is killed (SIGKILL) after that
 * part of the undisturbed time and started again; deletes it again after each run.
 * @param moments parts of 1
 */
export async function killedApplies(
  moments: readonly number[],
  say: (line: string) => void,
): Promise<Outcome> {
  const plane = await startControlPlane({ kwok: false, say });
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const namespace = await createNamespace(plane.api, 'killed');
    await createArchive(plane.api, { namespace, name: 'source', folder: manifestsFolder(NAME) });
    const { state: undisturbed, ms } = await applyOnce(plane, namespace, undefined);
    say(`undisturbed: ${ms.toFixed(0)} ms, ${undisturbed.live.length} objects`);
    const killed: KilledRun[] = [];
    for (const moment of moments) {
      const run = await applyOnce(plane, namespace, moment * ms);
      killed.push({ moment, state: run.state, leaked: run.leaked });
      say(
        `killed at ${(moment * ms).toFixed(0)} ms (${killed.length} of ${moments.length}): ${same(run.state, undisturbed) ? 'same end' : 'DIFFERENT END'}`,
      );
    }
    return { undisturbed, killed };
  } finally {
    await plane.abandon();
  }
}

function same(a: EndState, b: EndState): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function applyOnce(plane: ControlPlane, namespace: string, killAfterMs: number | undefined) {
  const { api, kubeconfigPath } = plane;
  let controller = await ControllerProcess.start(kubeconfigPath);
  try {
    const started = performance.now();
    await createRelease(api, {
      namespace,
      name: NAME,
      spec: {
        source: { configMap: { name: 'source' } },
        content: { path: './manifests' },
        syncPolicy: { prune: { orphaned: true } },
      },
    });
    if (killAfterMs !== undefined) {
      // The moment itself is what is tested.
      await delay(killAfterMs);
      await controller.kill();
      controller = await ControllerProcess.start(kubeconfigPath);
    }
    const release = await waitForReady(api, { namespace, name: NAME }, 'Applied', TIMEOUT_MS);
    const ms = performance.now() - started;
    const state = await endState(plane, namespace, release);
    return { state, ms, leaked: await removeRelease(plane, namespace) };
  } finally {
    await controller.stop();
  }
}

async function endState({ api }: ControlPlane, namespace: string, release: Release): Promise<EndState> {
  const live = await labelledObjects(api, { namespace, name: NAME });
  const inventory = await inventoryOf(api, { namespace, uid: release.metadata.uid ?? '' });
  return {
    live: [...live.keys()].sort(),
    inventory: [...inventory.keys()].sort(),
    untrue: [...inventory].filter(([key, uid]) => live.get(key) !== uid).map(([key]) => key),
    message: readyMessage(release),
    renderRef: release.status?.lastSuccessful?.renderRef ?? '',
    historyLength: release.status?.history?.length ?? 0,
  };
}

/** Deletes the Release, waits until it is gone, and gives what it left behind. */
async function removeRelease({ api }: ControlPlane, namespace: string): Promise<string[]> {
  await api.must('DELETE', `${releasesPath(namespace)}/${NAME}`);
  await api.waitForGone(releasesPath(namespace), NAME, TIMEOUT_MS);
  const left: Identities = await labelledObjects(api, { namespace, name: NAME });
  return [...left.keys()];
}
