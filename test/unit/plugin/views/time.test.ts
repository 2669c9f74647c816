import { describe, expect, it } from 'vitest';
import { ageOf, ago, span } from '../../../../plugin/views/time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a span of time', () => {
  // The cases of apimachinery's duration.HumanDuration.
  it.each([
    [0, '0s'],
    [-5 * SECOND, '0s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + 7 * SECOND, '2m7s'],
    [9 * MINUTE + 59 * SECOND, '9m59s'],
    [10 * MINUTE + 5 * SECOND, '10m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 30 * MINUTE, '7h30m'],
    [47 * HOUR, '47h'],
    [3 * DAY + 4 * HOUR, '3d4h'],
    [100 * DAY, '100d'],
    [3 * 365 * DAY + 20 * DAY, '3y20d'],
    [9 * 365 * DAY, '9y'],
  ])('of %i ms is written %s', (ms, text) => {
    expect(span(ms)).toBe(text);
  });
});

describe('an age', () => {
  const now = new Date('2026-03-01T12:00:00Z');

  it.each([
    ['2026-03-01T11:59:18Z', '42s', '42s ago'],
    ['2026-03-01T11:59:18+00:00', '42s', '42s ago'],
    [undefined, '-', '-'],
    ['', '-', '-'],
    ['yesterday', '<invalid>', '<invalid>'],
    ['2026-03-01T12:00:05Z', '0s', '0s ago'],
  ])('of %s is %s', (time, age, text) => {
    expect(ageOf(time, now)).toBe(age);
    expect(ago(time, now)).toBe(text);
  });
});
