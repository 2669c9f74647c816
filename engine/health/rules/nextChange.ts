const SECOND_MS = 1000;
/** Each look is so many times as far ahead as the one before. */
const FACTOR = 4;
/** How far ahead one looks; later it is looked again (ms). */
const HORIZON_MS = 24 * 3600 * SECOND_MS;

/**
 * Finds when time alone changes an answer, so that nobody has to ask again before. What changes and changes back between
 * two looks may be missed.
 * @param answerAt what the answer is so many milliseconds from now
 * @returns milliseconds from now, to the second, never early
 */
export function nextChange(answerAt: (aheadMs: number) => string): number {
  const now = answerAt(0);
  let same = 0;
  for (let ahead = SECOND_MS; same < HORIZON_MS; ahead = Math.min(HORIZON_MS, ahead * FACTOR)) {
    if (answerAt(ahead) !== now) return firstOther(answerAt, now, same, ahead);
    same = ahead;
  }
  return HORIZON_MS;
}

function firstOther(answerAt: (aheadMs: number) => string, now: string, same: number, other: number): number {
  if (other - same <= SECOND_MS) return other;
  const middle = same + Math.ceil((other - same) / 2 / SECOND_MS) * SECOND_MS;
  if (middle >= other) return other;
  return answerAt(middle) === now
    ? firstOther(answerAt, now, middle, other)
    : firstOther(answerAt, now, same, middle);
}
