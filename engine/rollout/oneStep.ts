import { STAGE_ORDER } from '../plan/stage.ts';
import type { Plan } from '../plan/plan.ts';

/**
 * The plan of a rollback (rollout.md, "Rollback apply"): all objects in one wave, and of its stages what others cannot exist
 * without still goes first. Each object keeps its own wave, for the inventory.
 */
export function inOneStep(plan: Plan): Plan {
  const stages = STAGE_ORDER.flatMap((name) => {
    const objects = plan.waves
      .flatMap((wave) => wave.stages)
      .filter((stage) => stage.name === name)
      .flatMap((stage) => stage.objects);
    return objects.length === 0 ? [] : [{ name, objects }];
  });
  const [lowest] = plan.waves;
  return { ...plan, waves: lowest === undefined ? [] : [{ number: lowest.number, stages }] };
}
