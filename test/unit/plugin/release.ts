import type { InventoryEntry } from '../../../api/inventory.ts';
import type { Condition, Release, ReleaseStatus, WaveStatus } from '../../../api/release.ts';

export const NOW = new Date('2026-03-01T12:00:00Z');

/** RFC 3339, so many seconds before NOW. */
export function before(seconds: number): string {
  return new Date(NOW.getTime() - seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** A digest whose first twelve digits are the same one. */
export function digest(digit: string): string {
  return `sha256:${digit.repeat(64)}`;
}

export function condition(
  type: Condition['type'],
  status: Condition['status'],
  reason: Condition['reason'],
  message = 'a message',
): Condition {
  return { type, status, reason, message, lastTransitionTime: before(130), observedGeneration: 1 };
}

/** A Release with an inline source and this status. */
export function release(status: ReleaseStatus | undefined, changes: Partial<Release> = {}): Release {
  return {
    apiVersion: 'core.convoy.kumodo.io/v1alpha1',
    kind: 'Release',
    metadata: {
      name: 'podinfo',
      namespace: 'apps',
      uid: 'u1',
      generation: 1,
      creationTimestamp: before(7200),
    },
    spec: { source: { inline: 'kind: x' } },
    ...(status === undefined ? {} : { status: { observedGeneration: 1, ...status } }),
    ...changes,
  };
}

/** An applied ConfigMap of wave 0, with changes. */
export function entry(changes: Partial<InventoryEntry> = {}): InventoryEntry {
  return {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    namespace: 'apps',
    name: 'settings',
    uid: 'u2',
    wave: 0,
    stage: 'Regular',
    renderRef: digest('a'),
    ...changes,
  };
}

/** Health of an object, for the render that `entry` has. */
export function health(
  state: NonNullable<InventoryEntry['health']>['state'],
  { message, seconds = 90 }: { message?: string; seconds?: number } = {},
): NonNullable<InventoryEntry['health']> {
  const about = { state, since: before(seconds), renderRef: digest('a') };
  return message === undefined ? about : { ...about, message };
}

/** An entry of status.waves: applied so many seconds ago. */
export function applied(number: number, { resources = 1, seconds = 100 } = {}): WaveStatus {
  const [startedAt, completedAt] = [before(seconds), before(seconds - 1)];
  return { number, resources, applied: resources, state: 'Completed', startedAt, completedAt };
}

/**
 * A Release whose health is assessed, of three waves: wave 1 waits at most 2 minutes for wave 0, of which one Deployment
 * is not healthy; wave 2 comes after it.
 */
export function waiting(): { release: Release; entries: InventoryEntry[] } {
  const message =
    'wave 1 waits for wave 0 to be healthy, until 2026-03-01T12:00:20Z (2m0s): apps/Deployment web in apps (Progressing: 1 of 3 replicas is available)';
  const web = { group: 'apps', kind: 'Deployment', name: 'web' };
  const gated = { strategy: 'waitForHealthyWithTimeout', timeout: '2m0s' } as const;
  const later = [
    entry({ name: 'job', wave: 1, ...gated }),
    entry({ name: 'last', wave: 2, strategy: 'waitForHealthy' }),
  ];
  for (const one of later) delete one.uid;
  return {
    release: release(
      {
        conditions: [
          condition('Ready', 'False', 'WaitingForWaveHealth', message),
          condition('Applied', 'False', 'WaitingForWaveHealth', message),
          condition('Healthy', 'False', 'Progressing', 'apps/Deployment web in apps is Progressing'),
        ],
        lastAttempted: { renderRef: digest('a'), revision: digest('b'), at: before(100) },
        waves: [{ ...applied(0, { resources: 2 }), healthy: false }],
        health: { healthy: 1, progressing: 1, degraded: 0, unknown: 0 },
        inventory: { entries: 4, shards: 1 },
      },
      { spec: { source: { inline: 'kind: x' }, healthAssessment: {} } },
    ),
    entries: [
      entry({ ...web, health: health('Progressing', { message: '1 of 3 replicas is available' }) }),
      entry({ health: health('Healthy') }),
      ...later,
    ],
  };
}
