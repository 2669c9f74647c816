import type { ObjectKey } from '../../api/object.ts';
import type { WaveStatus } from '../../api/release.ts';
import { objectsOfPlan, objectsOfWave, type Plan } from '../../engine/plan/plan.ts';
import { type HealthSummary, summarise } from '../../engine/health/worst.ts';
import { waveHealth } from '../../engine/waves/health.ts';
import { nameUnhealthy } from '../../engine/waves/message.ts';
import { toRecord } from '../../engine/waves/recorded.ts';
import type { ObjectHealth, ObservedObject } from '../../engine/waves/verdict.ts';
import type { Inventory } from '../inventory/inventory.ts';

/** Health of an object for the render. */
type HealthOf = (key: ObjectKey) => ObjectHealth | undefined;

/** How healthy the objects of a render are. */
export interface RenderHealth extends HealthSummary {
  /** Objects that have no state, since they are not applied for this render. */
  missing: number;
  /** Names those that are not Healthy; empty where all are. */
  unhealthy: string;
  /** What a person should know. */
  message: string;
}

/** Writes down in the inventory how healthy each object is, and gives what it comes to. */
export function recordHealth(
  inventory: Inventory,
  plan: Plan,
  renderRef: string,
  healthOf: HealthOf,
): RenderHealth {
  for (const { key } of objectsOfPlan(plan)) {
    const health = healthOf(key);
    if (health !== undefined) inventory.assessed(key, toRecord(health, renderRef));
  }
  return healthOfRender(plan, healthOf);
}

/** What the health of its objects comes to. */
export function healthOfRender(plan: Plan, healthOf: HealthOf): RenderHealth {
  return describeHealth(objectsOfPlan(plan).map(({ key }) => ({ key, health: healthOf(key) })));
}

/** The entries of the waves with the health of their objects. */
export function withHealth(waves: readonly WaveStatus[], plan: Plan, healthOf: HealthOf): WaveStatus[] {
  const planned = new Map(plan.waves.map((wave) => [wave.number, wave]));
  return waves.map((entry) => {
    const wave = planned.get(entry.number);
    const objects = wave === undefined ? [] : objectsOfWave(wave);
    const healthy = waveHealth(objects.map(({ key }) => ({ key, health: healthOf(key) })));
    return healthy === undefined ? entry : { ...entry, healthy };
  });
}

function describeHealth(objects: readonly ObservedObject[]): RenderHealth {
  const states = objects.flatMap(({ health }) => (health === undefined ? [] : [health]));
  const summary = summarise(states);
  const missing = objects.length - states.length;
  const unhealthy = objects.filter(({ health }) => health !== undefined && health.state !== 'Healthy');
  const reason = summary.reason === 'AllHealthy' && missing > 0 ? 'Progressing' : summary.reason;
  const named = nameUnhealthy(unhealthy);
  return {
    ...summary,
    reason,
    missing,
    unhealthy: named,
    message: messageOf(objects.length, unhealthy, missing),
  };
}

function messageOf(total: number, unhealthy: readonly ObservedObject[], missing: number): string {
  const healthy = `${total - unhealthy.length - missing} of ${total} objects healthy`;
  const waiting = missing === 0 ? '' : `, ${missing} not applied`;
  return unhealthy.length === 0
    ? `${healthy}${waiting}`
    : `${healthy}${waiting}: ${nameUnhealthy(unhealthy)}`;
}
