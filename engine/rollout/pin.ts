import type { HistoryEntry, Pin, ReleaseStatus } from '../../api/release.ts';

/**
 * The render that a pin names. A number of the history is looked up once: what `status.pin` has taken up stays the same when
 * the entry leaves the history.
 * @returns the digest, or what is wrong and what to do
 */
export function resolvePin(
  pin: Pin,
  { history = [], pin: taken }: Pick<ReleaseStatus, 'history' | 'pin'>,
): { renderRef: string } | { problem: string } {
  if (pin.renderRef !== undefined) return { renderRef: pin.renderRef };
  const entry = history.find(({ number }) => number === pin.history);
  if (entry !== undefined) return { renderRef: entry.renderRef };
  if (taken?.history !== undefined && taken.history === pin.history) return { renderRef: taken.renderRef };
  const numbers = history.map(({ number }) => number).join(', ');
  return {
    problem:
      `spec.pin.history: status.history has no number ${pin.history ?? ''}: ` +
      (numbers === '' ? 'it is empty, take spec.pin out' : `pin one of ${numbers}`),
  };
}

/** Says that the store does not hold the pinned render, and which it holds. */
export function notHeld(
  renderRef: string,
  held: readonly string[],
  history: readonly HistoryEntry[] = [],
): string {
  const numberOf = new Map(history.map((entry) => [entry.renderRef, entry.number]));
  const names = held.map((ref) => {
    const number = numberOf.get(ref);
    return number === undefined ? ref : `${ref} (history ${number})`;
  });
  const instead =
    names.length === 0 ? 'it holds none: take spec.pin out' : `pin one that it holds: ${names.join(', ')}`;
  return `spec.pin: the render store does not hold ${renderRef}; ${instead}`;
}
