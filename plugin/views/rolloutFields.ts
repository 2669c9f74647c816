import { DEFAULTS } from '../../api/defaults.ts';
import { parseDuration } from '../../api/duration.ts';
import type { Release, RolloutStatus } from '../../api/release.ts';
import { isMap } from '../../engine/render/objects.ts';
import { rollbackTarget } from '../../engine/rollout/target.ts';
import { rollsBack } from '../../engine/rollout/rollout.ts';
import { field, type Page } from './page.ts';
import { readinessOf } from './readiness.ts';
import { shortDigest } from './sourceText.ts';
import { ago, ageOf, limitText, span } from './time.ts';

/** What a rollout, a pin and a suspension make of a Release, each as a field of a page; nothing where there is none. */
export function rolloutFields(release: Release, page: Page): string[] {
  const { spec, status = {} } = release;
  return [
    ...(spec.suspend === true ? field(page, 'Suspended', suspendedText(release, page.now), 'warn') : []),
    ...(spec.pin === undefined ? [] : field(page, 'Pinned', pinText(release, page.now), 'warn')),
    ...(status.rollout === undefined
      ? []
      : field(page, 'Rollout', rolloutText(release, status.rollout, page.now))),
  ];
}

/** The rollout on one line, the same text as long as nothing happens; undefined where there is none. */
export function rolloutLine(release: Release): string | undefined {
  const { rollout } = release.status ?? {};
  if (rollout === undefined) return undefined;
  const { state, renderRef, message = '' } = rollout;
  const deadline = state === 'Progressing' ? deadlineOf(release, rollout) : undefined;
  const until =
    deadline === undefined ? '' : ` until ${new Date(deadline).toISOString().replace(/\.\d+Z$/, 'Z')}`;
  return `${state} (${shortDigest(renderRef)})${until}${message === '' ? '' : `: ${message}`}`;
}

interface Written {
  manager?: string;
  time?: string;
  fieldsV1?: unknown;
}

/** Whoever has written a field last, as the API server keeps it: its manager and when, no user. */
function writerOf({ metadata }: Release, name: string): { manager: string; time: string } | undefined {
  const written: readonly Written[] = metadata.managedFields ?? [];
  const entry = written.find(({ fieldsV1 }) => {
    const spec: unknown = isMap(fieldsV1) ? fieldsV1['f:spec'] : undefined;
    return isMap(spec) && Object.hasOwn(spec, `f:${name}`);
  });
  const { manager, time } = entry ?? {};
  return manager === undefined || time === undefined ? undefined : { manager, time };
}

function writtenText(release: Release, name: string, now: Date): string {
  const writer = writerOf(release, name);
  return writer === undefined ? '' : ` (set by ${writer.manager}, ${ago(writer.time, now)})`;
}

function suspendedText(release: Release, now: Date): string {
  return `nothing is applied, put right or pruned${writtenText(release, 'suspend', now)}`;
}

function pinText(release: Release, now: Date): string {
  const { spec, status = {} } = release;
  const number = spec.pin?.history;
  const renderRef = spec.pin?.renderRef ?? status.pin?.renderRef;
  const which = [
    ...(renderRef === undefined ? [] : [`render ${shortDigest(renderRef)}`]),
    ...(number === undefined ? [] : [renderRef === undefined ? `history ${number}` : `(history ${number})`]),
  ].join(' ');
  const reason = spec.pin?.reason;
  return [
    `to ${which}, whatever the source says${writtenText(release, 'pin', now)}`,
    ...(reason === undefined ? [] : [`why: ${reason}`]),
  ].join('\n');
}

function rolloutText(release: Release, rollout: RolloutStatus, now: Date): string {
  const digest = shortDigest(rollout.renderRef);
  const [headline = '', ...details] = (rollout.message ?? '').split('\n');
  const since = `since ${ageOf(rollout.startedAt, now)}`;
  switch (rollout.state) {
    case 'Progressing':
      return [
        `Progressing ${since}: ${digest} is to become healthy`,
        ...progress(release, rollout, now),
      ].join('\n');
    case 'Succeeded':
      return `Succeeded: ${digest} became healthy; it began ${ago(rollout.startedAt, now)}`;
    case 'Failed':
      return [
        `Failed: ${digest}: ${headline}`,
        ...details,
        'It succeeds all the same when all objects become healthy.',
      ].join('\n');
    case 'RolledBack':
      return [`RolledBack: from ${digest}${wentBackTo(release)}`, `why: ${headline}`, ...details, STAYS].join(
        '\n',
      );
  }
}

const STAYS = 'It stays there until there is a new render, a pin, or a sync with --force.';

function wentBackTo({ status = {} }: Release): string {
  const { lastSuccessful, lastHealthy, history = [], conditions = [] } = status;
  const isThere = conditions.some(({ type, reason }) => type === 'Applied' && reason === 'RolledBack');
  const renderRef = (isThere ? lastSuccessful : lastHealthy)?.renderRef;
  if (renderRef === undefined) return '';
  const number = history.find((entry) => entry.renderRef === renderRef)?.number;
  return ` to ${shortDigest(renderRef)}${number === undefined ? '' : ` (history ${number})`}${isThere ? '' : ', which is not applied completely yet'}`;
}

/** How long it has, and what happens then. */
function progress(release: Release, rollout: RolloutStatus, now: Date): string[] {
  if (release.spec.pin !== undefined) return ['It stands still while the Release is pinned.'];
  if (readinessOf(release).reason === 'WaitingForSync') return ['Its deadline begins when it is applied.'];
  const deadline = deadlineOf(release, rollout);
  const limit = limitOf(release);
  if (deadline === undefined || limit === undefined) return ['It has no deadline.'];
  const left = deadline - now.getTime();
  if (left > 0) return [`${span(left)} left of ${limitText(limit)}, then ${thenText(release, rollout)}`];
  return [
    `Its ${limitText(limit)} passed ${span(-left)} ago. It fails only while objects of it are Progressing or Degraded: then ${thenText(release, rollout)}`,
  ];
}

function thenText({ spec, status = {} }: Release, { renderRef }: RolloutStatus): string {
  const policy = spec.failurePolicy?.rollback ?? DEFAULTS.rollback;
  if (!rollsBack(policy)) return 'it has failed, and stays applied';
  const target = rollbackTarget(status.lastHealthy?.renderRef, renderRef);
  if ('none' in target) return `it has failed and stays applied: ${target.none}`;
  return `it is rolled back to ${shortDigest(target.renderRef)}`;
}

function deadlineOf(release: Release, { startedAt }: RolloutStatus): number | undefined {
  const limit = limitOf(release);
  return limit === undefined ? undefined : Date.parse(startedAt) + limit;
}

function limitOf({ spec }: Release): number | undefined {
  const { deadline } = spec.healthAssessment ?? {};
  return deadline === undefined ? undefined : parseDuration(deadline);
}
