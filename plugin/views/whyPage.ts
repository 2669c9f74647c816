import { stripVTControlCharacters } from 'node:util';
import { READY_REASONS, APPLIED_REASONS, HEALTHY_REASONS } from '../../api/conditions.ts';
import { describe } from '../../api/object.ts';
import type { HookStatus } from '../../api/release.ts';
import type { PodGroup } from '../pods/podGroups.ts';
import { podGroupText } from '../pods/podGroups.ts';
import { nextStep } from '../why/nextSteps.ts';
import type { WhyGate, WhyObject, WhyReport } from '../why/whyReport.ts';
import { hookTable } from './hookTable.ts';
import { count, field, headline, joinSections, type Page, paragraph, section } from './page.ts';
import { printable } from './printable.ts';
import { remedyFor, remedyForSilence } from './remedies.ts';
import { rolloutFields } from './rolloutFields.ts';
import { shortDigest } from './sourceText.ts';
import { ageOf, limitText, span } from './time.ts';

/** Objects that the page tells of; there may be thousands. */
export const SHOWN_OBJECTS = 10;

/** The page of `release why`: what it waits for, until when, what happens then, what the objects say, and what to do. */
export function whyPage(report: WhyReport, page: Page): string[] {
  const { objects } = report;
  const more = objects.length - SHOWN_OBJECTS;
  return joinSections([
    [...verdict(report, page), ...details(report, page)],
    rolloutFields(report.release, page),
    gateFacts(report, page),
    hookTable(hooksOf(report), page),
    objectsHeading(report),
    ...objects.slice(0, SHOWN_OBJECTS).map((object) => objectSection(object, page)),
    more > 0 ? [`and ${more} more: ${statusCommand(report)}`] : [],
    whatToDo(report, page),
  ]);
}

function verdict({ release, readiness, gate }: WhyReport, page: Page): string[] {
  const { name, namespace = '' } = release.metadata;
  const { status, reason, since, tone } = readiness;
  const say = (what: string) => headline(page, `Release ${name} in ${namespace}`, ` ${what}`, tone);
  if (gate !== undefined) return say(gateText(gate));
  if (status === 'True' && Object.hasOwn(NOT_AS_THE_SOURCE, reason))
    return say(`${NOT_AS_THE_SOURCE[reason] ?? ''} (${reason}, for ${ageOf(since, page.now)})`);
  if (status === 'True')
    return say(`waits for nothing: it is ready (${reason}, for ${ageOf(since, page.now)})`);
  if (reason === '-') return say('is not known');
  return say(`is not ready: ${reason}, for ${ageOf(since, page.now)}${meaningOf(reason)}`);
}

/** Ready, and yet not with what its source holds. */
const NOT_AS_THE_SOURCE: Readonly<Record<string, string>> = {
  RolledBack: 'is rolled back: it runs the last healthy render, not what its source holds',
  Pinned: 'is pinned: it runs a stored render, whatever its source holds',
};

function gateText({ verdict, wave, after, limitMs }: WhyGate): string {
  if (verdict.gate === 'hold') return `waits: wave ${wave} is applied when wave ${after} is healthy`;
  return `has failed: wave ${after} was not healthy within ${limitText(limitMs ?? 0)}, so wave ${wave} is not applied`;
}

const MEANINGS: Readonly<Record<string, { meaning: string }>> = {
  ...APPLIED_REASONS,
  ...HEALTHY_REASONS,
  ...READY_REASONS,
};

function meaningOf(reason: string): string {
  const meaning = Object.hasOwn(MEANINGS, reason) ? MEANINGS[reason]?.meaning : undefined;
  return meaning === undefined ? '' : ` (${meaning})`;
}

/** What Ready says; where objects tell the same at length, they do. */
function details({ readiness, gate, objects }: WhyReport, page: Page): string[] {
  // The rollout says the same.
  if (readiness.status === 'True' && readiness.reason === 'RolledBack') return [];
  return gate !== undefined && objects.length > 0 ? [] : paragraph(page, readiness.message);
}

function gateFacts({ gate, release, waves }: WhyReport, page: Page): string[] {
  if (gate === undefined) return [];
  const { since, until } = gate.verdict;
  const now = page.now.getTime();
  const applied = waves.filter(({ startedAt }) => startedAt !== undefined).length;
  return [
    ...field(page, 'Applied', `${applied} of ${count(waves.length, 'wave')}`),
    ...field(page, 'Waits', `for ${span(now - since)}, ${untilText(gate, now)}`),
    ...field(
      page,
      until === undefined || now < until ? 'Then' : 'Now',
      thenText(gate, shortDigest(release.status?.lastHealthy?.renderRef ?? '')),
    ),
  ];
}

function untilText({ verdict: { until }, limitMs }: WhyGate, now: number): string {
  if (until === undefined || limitMs === undefined) return 'without limit';
  const limit = `at most ${limitText(limitMs)}`;
  return now < until ? `${limit}: ${span(until - now)} left` : `${limit}: passed ${span(now - until)} ago`;
}

/** What a passed limit makes of the Release, and that it is never the end. */
function thenText({ verdict, wave, after, onFailure }: WhyGate, lastHealthy: string): string {
  const goesOn = `as soon as wave ${after} is healthy, wave ${wave} is applied`;
  if (verdict.until === undefined) return `${goesOn}; it waits as long as that takes`;
  const outcomes = {
    WaveFailed: 'the Release is WaveFailed',
    RolloutFailed: 'the Release is RolloutFailed and nothing is rolled back',
    RolledBack: `it is rolled back to the last healthy render, ${lastHealthy}`,
  };
  if (verdict.gate === 'failed') return goesOn;
  const outcome = outcomes[onFailure.applied];
  return onFailure.applied === 'RolledBack' ? outcome : `${outcome}; ${goesOn} all the same`;
}

/** Reasons that a hook is behind. */
const HOOKED: ReadonlySet<string> = new Set(['WaitingForHook', 'HookFailed']);

/** Where it is a hook that a Release waits for, or has failed by: all of the sync; else none. */
export function hooksOf({ readiness, release }: WhyReport): readonly HookStatus[] {
  return HOOKED.has(readiness.reason) ? (release.status?.hooks ?? []) : [];
}

function objectsHeading({ objects, gate, waves }: WhyReport): string[] {
  if (objects.length === 0) return [];
  const total = waves.find(({ number }) => number === gate?.after)?.objects;
  const are = objects.length === 1 ? 'is' : 'are';
  if (gate === undefined || total === undefined)
    return [`${count(objects.length, 'object')} ${are} not healthy:`];
  return [`${objects.length} of ${count(total, 'object')} of wave ${gate.after} ${are} not healthy:`];
}

const INDENT = '  ';
const DEEPER = '      ';

function objectSection(object: WhyObject, page: Page): string[] {
  const { key, health } = object;
  const tone = health?.state === 'Degraded' ? 'bad' : 'warn';
  const state =
    health === undefined ? 'no state yet' : `${health.state} for ${span(page.now.getTime() - health.since)}`;
  return [
    `${page.paint(printable(describe(key)), 'strong')}: ${page.paint(state, tone)}`,
    ...(health === undefined || health.message === '' ? [] : paragraph(page, health.message, INDENT)),
    ...podLines(object, page),
    ...logLines(object, page),
    `${INDENT}${printable(nextStep(object))}`,
  ];
}

function podLines({ pods = [] }: WhyObject, page: Page): string[] {
  if ('unreadable' in pods) return paragraph(page, `its pods cannot be read: ${pods.unreadable}`, INDENT);
  return pods.flatMap((group) => [
    ...paragraph(page, podGroupText(group), INDENT),
    ...(saysMore(group) ? paragraph(page, group.message, DEEPER) : []),
  ]);
}

function saysMore({ message, severity }: PodGroup): boolean {
  return message !== '' && severity !== 'fine';
}

function logLines({ logs }: WhyObject, page: Page): string[] {
  if (logs === undefined) return [];
  const { pod, container, lines } = logs;
  if ('unreadable' in lines)
    return paragraph(page, `the log of ${container} in ${pod} cannot be read: ${lines.unreadable}`, INDENT);
  const heading = `last lines of ${container} in ${pod}:`;
  if (lines.every((line) => line === '')) return paragraph(page, `${heading} none`, INDENT);
  return [
    ...paragraph(page, heading, INDENT),
    ...lines.map((line) => `${DEEPER}${page.paint(printable(stripVTControlCharacters(line)), 'dim')}`),
  ];
}

/** The objects have their commands; for all else there are remedies. */
function whatToDo(report: WhyReport, page: Page): string[] {
  if (report.objects.length > 0) return [];
  return section(
    page,
    report.readiness.status === 'True' ? 'To know' : 'What to do',
    remediesOf(report).flatMap((line) =>
      line.startsWith('kubectl ') ? [`${INDENT}${line}`] : paragraph(page, line),
    ),
  );
}

/** Those of `release status`, but for the command that leads here. */
export function remediesOf({ readiness, release }: WhyReport): string[] {
  const { name, namespace = '' } = release.metadata;
  const { reason } = readiness;
  const remedies =
    reason === '-'
      ? remedyForSilence()
      : remedyFor(reason, { name, namespace, hooks: release.status?.hooks });
  return remedies.filter((line) => !line.includes('release why'));
}

function statusCommand({ release: { metadata } }: WhyReport): string {
  return `kubectl convoy release status ${metadata.name} -n ${metadata.namespace ?? ''} -o wide`;
}
