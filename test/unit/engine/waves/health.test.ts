import { describe, expect, test } from 'vitest';
import { waveHealth } from '../../../../engine/waves/health.ts';
import { observed } from './support.ts';

describe('healthy of an entry of status.waves (waves.md, axis A, 9)', () => {
  test.each([
    ['all Healthy', [observed('a', 'Healthy'), observed('b', 'Healthy')], true],
    ['one Degraded', [observed('a', 'Healthy'), observed('b', 'Degraded')], false],
    ['one Progressing', [observed('a', 'Progressing')], false],
    ['one Unknown', [observed('a', 'Unknown')], false],
    ['one without a state', [observed('a', 'Healthy'), observed('b')], undefined],
    ['one Degraded, one without a state', [observed('a', 'Degraded'), observed('b')], false],
  ])('%s', (_, objects, healthy) => {
    expect(waveHealth(objects)).toBe(healthy);
  });
});
