import type { RolloutDecision } from '../../../../engine/rollout/decide.ts';
import type { Rollout, RolloutHealth, Situation } from '../../../../engine/rollout/rollout.ts';

export const [V1, V2, V3] = [ref('1'), ref('2'), ref('3')];
export const NOW = Date.parse('2026-05-01T12:00:00Z');
export const MINUTE = 60_000;
export const DEADLINE = 5 * MINUTE;

function ref(digit: string): string {
  return `sha256:${digit.repeat(64)}`;
}

/** Health of four objects; what is not told is not assessed. */
export function healthOf(
  renderRef: string,
  counts: Partial<RolloutHealth['counts'] & { missing: number }>,
): RolloutHealth {
  const { healthy = 0, progressing = 0, degraded = 0, unknown = 0, missing } = counts;
  const unhealthy = degraded > 0 ? 'apps/Deployment web in shop (Degraded: it crashes)' : '';
  return {
    renderRef,
    counts: { healthy, progressing, degraded, unknown },
    missing: missing ?? 4 - healthy - progressing - degraded - unknown,
    unhealthy,
  };
}

export const ALL_HEALTHY = healthOf(V2, { healthy: 4 });
export const DEGRADED = healthOf(V2, { healthy: 3, degraded: 1 });

/** A rollout of V2 that began five minutes ago, unless told otherwise. */
export function rolloutOf(state: Rollout['state'], changes: Partial<Rollout> = {}): Rollout {
  return { state, renderRef: V2, startedAt: NOW - DEADLINE, message: '', ...changes };
}

/** V2 progresses, its deadline has just passed, V1 was healthy and is held; nothing is known of the health of V2. */
export function situationOf(changes: Partial<Situation> = {}): Situation {
  return {
    rollback: 'OnReleaseFailure',
    deadlineMs: DEADLINE,
    mode: 'Automatic',
    renderRef: V2,
    isPinned: false,
    wasPinned: false,
    isForced: false,
    isAuthorised: false,
    before: rolloutOf('Progressing'),
    lastHealthy: V1,
    health: undefined,
    waveFailure: undefined,
    target: { renderRef: V1 },
    now: NOW,
    ...changes,
  };
}

/** `state what`, as a table reads it. */
export function summary({ rollout, apply }: RolloutDecision): string {
  return `${rollout?.state ?? 'none'}, ${apply.what}`;
}
