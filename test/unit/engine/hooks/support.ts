import type { HookPhase } from '../../../../api/annotations.ts';
import type { HookStatus, Release, ReleaseSpec } from '../../../../api/release.ts';
import type { Hook } from '../../../../engine/hooks/hook.ts';

export const RENDER = `sha256:${'a'.repeat(64)}`;
export const OTHER = `sha256:${'b'.repeat(64)}`;

export function releaseWith(spec: Partial<ReleaseSpec> = {}): Release {
  return {
    apiVersion: 'core.convoy.kumodo.io/v1alpha1',
    kind: 'Release',
    metadata: { name: 'app', namespace: 'shop', uid: '11' },
    spec: { source: { inline: 'x' }, ...spec },
  };
}

export function hookOf(phase: HookPhase, name: string, more: Partial<Hook> = {}): Hook {
  return {
    ...{ phase, name, namespace: 'shop', metadata: {}, spec: {}, timeoutMs: 300_000, isRequired: true },
    ...more,
  };
}

export function statusOf(
  phase: HookPhase,
  name: string,
  state: HookStatus['state'],
  more: Partial<HookStatus> = {},
): HookStatus {
  return { phase, name, namespace: 'shop', state, ...more };
}
