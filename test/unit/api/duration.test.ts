import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration, parsePositiveDuration } from '../../../api/duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['100ms', 100],
    ['1.5s', 1500],
    ['.5s', 500],
    ['2.s', 2000],
    ['30s', 30 * SECOND],
    ['5m', 5 * MINUTE],
    ['1h30m', HOUR + 30 * MINUTE],
    ['1h1h', 2 * HOUR],
    ['1m0.25s', MINUTE + 250],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['1μs', 0.001],
    ['1ns', 0.000001],
    ['2562047h', 2_562_047 * HOUR],
  ])('reads %s as %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    '',
    '5',
    '1',
    '-5m',
    '+5m',
    ' 5m',
    '5m ',
    '5 m',
    '5M',
    '1d',
    's',
    '.s',
    '1,5s',
    '1e3s',
    '2562048h',
    `${'1'.repeat(64)}s`,
  ])('takes %j for no duration', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('parsePositiveDuration', () => {
  it.each(['0', '0s', '0h0m0s', 'x'])('refuses %j', (text) => {
    expect(parsePositiveDuration(text)).toBeUndefined();
  });

  it('reads what is longer', () => {
    expect(parsePositiveDuration('1ms')).toBe(1);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0s'],
    [0.000001, '1ns'],
    [0.0015, '1.5µs'],
    [100, '100ms'],
    [100.5, '100.5ms'],
    [1500, '1.5s'],
    [5 * MINUTE, '5m0s'],
    [HOUR, '1h0m0s'],
    [25 * HOUR + MINUTE + 250, '25h1m0.25s'],
  ])('writes %d ms as Go does: %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it.each([-1, NaN, Infinity, 2 ** 63 / 1e6])('refuses %d', (milliseconds) => {
    expect(() => formatDuration(milliseconds)).toThrow(RangeError);
  });

  it('is undone by parseDuration', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 * 365 * 24 * HOUR }), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
      }),
    );
  });
});
