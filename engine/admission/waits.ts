import { SYNC_TIMEOUT, type SyncStrategy } from '../../api/annotations.ts';
import { formatDuration, parseDuration, parsePositiveDuration } from '../../api/duration.ts';
import { describe } from '../../api/object.ts';
import type { ReleaseSpec } from '../../api/release.ts';
import type { Plan, PlannedObject, PlannedWave } from '../plan/plan.ts';
import { gateOf } from '../waves/gate.ts';

/** Objects that a message names before it only counts. */
const NAMED = 3;

/** A gate that a field or the objects of a wave ask for. */
interface AskedGate {
  /** Who asks, as a message names it. */
  by: string;
  strategy: SyncStrategy;
  limitMs?: number;
}

/**
 * Warns of waits that are not what their author meant: gates without a health bar, timeouts without effect, waits without
 * end, and a deadline that comes before the gates' own (waves.md).
 * @param plan of the source, where it is known
 */
export function waitWarnings(spec: ReleaseSpec, plan: Plan | undefined): string[] {
  const gates = [...fieldGates(spec), ...waveGates(plan)];
  return [
    ...(spec.healthAssessment === undefined ? gates.map(withoutHealth) : []),
    ...shortDeadline(spec, gates),
    ...idleTimeouts(spec),
    ...idleAnnotations(spec, plan),
    ...endlessWait(spec),
  ];
}

function fieldGates({ syncPolicy, mutations = [] }: ReleaseSpec): AskedGate[] {
  const standard = syncPolicy?.defaultStrategy;
  return [
    ...(isGated(standard) ? [{ by: 'spec.syncPolicy.defaultStrategy', strategy: standard }] : []),
    ...mutations.flatMap(({ waveStrategy }, index): AskedGate[] => {
      if (waveStrategy === undefined || !isGated(waveStrategy.strategy)) return [];
      const { strategy, timeout } = waveStrategy;
      const by = `spec.mutations[${index}].waveStrategy.strategy`;
      return [{ by, strategy, ...limitOf(strategy, timeout) }];
    }),
  ];
}

/** The first wave never waits. */
function waveGates(plan: Plan | undefined): AskedGate[] {
  return (plan?.waves ?? []).slice(1).flatMap((wave): AskedGate[] => {
    const asking = objectsOf(wave).filter(({ strategy }) => isGated(strategy));
    const [first] = asking;
    const gate = gateOf(asking);
    if (first === undefined || gate === undefined) return [];
    return [{ by: `wave ${wave.number} (${listed(asking)})`, strategy: first.strategy, ...gate }];
  });
}

function withoutHealth({ by, strategy }: AskedGate): string {
  return (
    `${by} asks for ${strategy}, and without spec.healthAssessment no wave waits: ` +
    'set spec.healthAssessment, or use waitForApplied'
  );
}

function shortDeadline({ healthAssessment }: ReleaseSpec, gates: readonly AskedGate[]): string[] {
  const { deadline } = healthAssessment ?? {};
  const deadlineMs = deadline === undefined ? undefined : parseDuration(deadline);
  if (deadline === undefined || deadlineMs === undefined) return [];
  return gates.flatMap(({ by, limitMs = 0 }) => {
    if (limitMs <= deadlineMs) return [];
    return [
      `spec.healthAssessment.deadline ${deadline} is over before the timeout ${formatDuration(limitMs)} of ${by}: ` +
        'make the deadline longer or the timeout shorter',
    ];
  });
}

function idleTimeouts({ syncPolicy, mutations = [] }: ReleaseSpec): string[] {
  const places = [
    { path: 'spec.syncPolicy.waveStrategy', ...syncPolicy?.waveStrategy },
    ...mutations.map(({ waveStrategy }, index) => ({
      path: `spec.mutations[${index}].waveStrategy`,
      ...waveStrategy,
    })),
  ];
  return places.flatMap(({ path, strategy = 'waitForApplied', timeout }) => {
    if (timeout === undefined || strategy === 'waitForHealthyWithTimeout') return [];
    return [
      `${path}.timeout: ${timeout} has no effect with ${strategy}: use waitForHealthyWithTimeout, or leave it out`,
    ];
  });
}

/** Those that a mutation writes are told as the field that they come from. */
function idleAnnotations({ mutations = [] }: ReleaseSpec, plan: Plan | undefined): string[] {
  const told = new Set(mutations.map(({ waveStrategy }) => waveStrategy?.timeout));
  const idle = (plan?.waves ?? [])
    .flatMap(objectsOf)
    .filter(({ strategy }) => strategy !== 'waitForHealthyWithTimeout')
    .filter(
      ({ object }) => hasTimeout(object.metadata) && !told.has(object.metadata.annotations?.[SYNC_TIMEOUT]),
    );
  if (idle.length === 0) return [];
  return [
    `${SYNC_TIMEOUT} of ${listed(idle)} has no effect without sync-strategy waitForHealthyWithTimeout: ` +
      'set that, or leave it out',
  ];
}

function hasTimeout({ annotations }: { annotations?: Record<string, string> }): boolean {
  return parsePositiveDuration(annotations?.[SYNC_TIMEOUT] ?? '') !== undefined;
}

function endlessWait({ syncPolicy }: ReleaseSpec): string[] {
  const { strategy, timeout } = syncPolicy?.waveStrategy ?? {};
  if (!isGated(strategy) || (strategy === 'waitForHealthyWithTimeout' && timeout !== undefined)) return [];
  const remedy =
    strategy === 'waitForHealthy'
      ? 'use waitForHealthyWithTimeout with a timeout'
      : 'set spec.syncPolicy.waveStrategy.timeout';
  return [
    `spec.syncPolicy.waveStrategy.strategy: ${strategy} waits without end for Releases of lower waves: ` +
      `${remedy} where that is not meant`,
  ];
}

function isGated(strategy: SyncStrategy | undefined): strategy is Exclude<SyncStrategy, 'waitForApplied'> {
  return strategy !== undefined && strategy !== 'waitForApplied';
}

function limitOf(strategy: SyncStrategy, timeout: string | undefined): { limitMs?: number } {
  const limitMs = timeout === undefined ? undefined : parseDuration(timeout);
  return strategy !== 'waitForHealthyWithTimeout' || limitMs === undefined ? {} : { limitMs };
}

function objectsOf({ stages }: PlannedWave): PlannedObject[] {
  return stages.flatMap(({ objects }) => objects);
}

function listed(objects: readonly PlannedObject[]): string {
  const names = objects.slice(0, NAMED).map(({ key }) => describe(key));
  const more = objects.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
