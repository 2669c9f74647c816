import { invalidText } from '../../engine/plan/invalid.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { ReleaseRender } from '../../engine/render/releaseRender.ts';
import { releaseKey } from '../services.ts';
import type { Reconcile } from './reconcileRun.ts';

/** Warnings that the event tells before it only counts; the log has all. */
const NAMED = 5;

/**
 * One Warning event for what is doubtful in a new render and no reason to refuse it: annotations whose default holds
 * since their value is not valid (api.md, "Annotations"), and what was left out or changed.
 */
export function warnOfRender(
  { services, release, redaction }: Reconcile,
  rendered: ReleaseRender,
  plan: Plan,
): void {
  if (release.status?.lastAttempted?.renderRef === rendered.renderRef) return;
  const warnings = [...rendered.warnings, ...plan.invalid.map(invalidText)].map((text) =>
    redaction.apply(text),
  );
  if (warnings.length === 0) return;
  services.log.warn(
    { release: releaseKey(release), render: rendered.renderRef, warnings },
    'parts of the render are doubtful',
  );
  const lines = warnings.slice(0, NAMED);
  if (warnings.length > NAMED) lines.push(`and ${warnings.length - NAMED} more`);
  services.events.record({
    regarding: release,
    type: 'Warning',
    reason: 'RenderWarning',
    action: 'Reconcile',
    message: lines.join('\n'),
  });
}
