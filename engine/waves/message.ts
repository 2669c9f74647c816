import { formatDuration } from '../../api/duration.ts';
import { describe } from '../../api/object.ts';
import type { ObservedObject, Verdict } from './verdict.ts';

type Closed = Exclude<Verdict, { gate: 'open' }>;

/** Objects that a message names before it only counts (waves.md, axis A, 6). */
const NAMED = 5;

/**
 * The one sentence about a gate that is closed: which wave waits for which, when it would time out, and for what objects.
 * The same verdict gives the same text at any time, so that a status that says the same is not written again.
 * @param waves the waiting wave and the one before it
 */
export function gateMessage(verdict: Closed, waves: { waiting: number; previous: number }): string {
  return `${headline(verdict, waves)}: ${nameUnhealthy(verdict.unhealthy)}`;
}

function headline(
  { gate, since, until }: Closed,
  { waiting, previous }: { waiting: number; previous: number },
): string {
  if (until === undefined) return `wave ${waiting} waits for wave ${previous} to be healthy, without limit`;
  const limit = formatDuration(until - since);
  if (gate === 'hold') {
    return `wave ${waiting} waits for wave ${previous} to be healthy, until ${timeText(until)} (${limit})`;
  }
  return `wave ${previous} did not become healthy within ${limit}, so wave ${waiting} is not applied`;
}

/** Names objects with their state and why, at most five, then a count. */
export function nameUnhealthy(unhealthy: readonly ObservedObject[]): string {
  const named = unhealthy.slice(0, NAMED).map(({ key, health }) => {
    const why = health === undefined ? 'no state yet' : stateText(health);
    return `${describe(key)} (${why})`;
  });
  const more = unhealthy.length - NAMED;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function stateText({ state, message }: NonNullable<ObservedObject['health']>): string {
  return message === '' ? state : `${state}: ${message}`;
}

/** `2026-05-01T10:05:00Z`. @param at milliseconds of the epoch */
export function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
