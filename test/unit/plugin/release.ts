import type { InventoryEntry } from '../../../api/inventory.ts';
import type { Condition, Release, ReleaseStatus } from '../../../api/release.ts';

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
