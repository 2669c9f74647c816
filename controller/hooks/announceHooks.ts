import type { HookStatus, Release, ReleaseStatus } from '../../api/release.ts';
import { isSameHook } from '../../engine/hooks/hook.ts';
import { releaseKey, type Services } from '../services.ts';

type End = 'Succeeded' | 'Failed' | 'Skipped';

/** One log line and metric for each hook that has come to its end, and an event where it ran (edge case 28). */
export function announceHooks(
  { events, log, metrics }: Services,
  release: Release,
  after: ReleaseStatus,
): void {
  const { hooks: before = [], hookSync } = release.status ?? {};
  const isSameSync = hookSync?.startedAt === after.hookSync?.startedAt;
  for (const hook of after.hooks ?? []) {
    const { phase, name, state, job, message } = hook;
    const known = isSameSync ? before.find((other) => isSameHook(other, hook)) : undefined;
    if (!hasEnded(state) || (known?.state === state && known.job === job)) continue;
    metrics.hooks.inc({ phase, outcome: state });
    const text = `${phase} hook ${name} ${WORDS[state]}${message === undefined ? '' : `: ${message}`}`;
    log[state === 'Failed' ? 'warn' : 'info']({ release: releaseKey(release), job }, text);
    if (state === 'Skipped') continue;
    events.record({
      regarding: release,
      type: state === 'Failed' ? 'Warning' : 'Normal',
      reason: `Hook${state}`,
      action: 'RunHook',
      message: text,
    });
  }
}

const WORDS: Readonly<Record<End, string>> = {
  Succeeded: 'succeeded',
  Failed: 'failed',
  Skipped: 'was skipped',
};

function hasEnded(state: HookStatus['state']): state is End {
  return state !== 'Pending' && state !== 'Running';
}
