import { join } from 'node:path';
import { startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { allObjects } from '../support/liveObjects.ts';
import { differences } from './endState.ts';
import { killedRelease, type Life } from './killedRelease.ts';
import { drawPlans, type KillPlan, killsOf, PHASES, UNDISTURBED } from './killPlan.ts';
import { MortalController } from './mortalController.ts';

export interface Outcome {
  kills: number;
  /** Releases that lived while the controller was killed. */
  releases: number;
  /** Objects of the two renders, when nothing is killed. */
  undisturbed: Life;
  /** Whatever differed from an undisturbed life, was out of order, or was left behind. */
  problems: string[];
}

const NO_LENGTH = { ms: 0, requests: 0 };
const NO_LENGTHS = { apply: NO_LENGTH, change: NO_LENGTH, delete: NO_LENGTH };

/**
 * Lets a Release be applied, changed and deleted once undisturbed, and then again and again, while the controller is
 * killed in each phase; and tells in what that differs.
 * @param seed draws the moments
 */
export async function killedReleases(
  { kills, seed }: { kills: number; seed: number },
  say: (line: string) => void,
): Promise<Outcome> {
  const plane = await startControlPlane({ audit: true, say });
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const controller = await MortalController.start(plane);
    try {
      const before = await allObjects(plane.api);
      const undisturbed = await killedRelease(plane, controller, UNDISTURBED, NO_LENGTHS);
      say(
        `undisturbed: ${PHASES.map((phase) => `${phase} ${undisturbed[phase].ms.toFixed(0)} ms`).join(', ')}`,
      );
      const problems = problemsOf('undisturbed', undisturbed, undisturbed);
      const plans = drawPlans(kills, seed);
      let killed = 0;
      for (const [index, plan] of plans.entries()) {
        const life = await killedRelease(plane, controller, plan, undisturbed);
        killed += killsOf(plan);
        const found = problemsOf(`Release ${index} (${describe(plan)})`, life, undisturbed);
        say(`${killed} of ${kills} kills: ${found.length === 0 ? 'same end, in order' : found.join('\n  ')}`);
        problems.push(...found);
      }
      const left = [...(await allObjects(plane.api)).keys()].filter((key) => !before.has(key));
      problems.push(...left.map((key) => `${key} is left behind`), ...controller.errors);
      return { kills: killed, releases: plans.length, undisturbed, problems };
    } finally {
      await controller.stop();
    }
  } finally {
    await plane.stop();
  }
}

function problemsOf(what: string, life: Life, undisturbed: Life): string[] {
  return PHASES.flatMap((phase) =>
    [...life[phase].problems, ...differences(life[phase].state, undisturbed[phase].state)].map(
      (problem) => `${what}, ${phase}: ${problem}`,
    ),
  );
}

function describe(plan: KillPlan): string {
  return PHASES.map(
    (phase) => `${phase} ${plan[phase].map(({ by, part }) => `${by} ${part}`).join(' and ')}`,
  ).join(', ');
}
