import { describe, expect, test } from 'vitest';
import { gateMessage } from '../../../../engine/waves/message.ts';
import { observed } from './support.ts';

const WAVES = { waiting: 2, previous: 1 };
const START = Date.parse('2026-05-01T10:00:00.400Z');

describe('what is said of a closed gate (waves.md, axis A, 6)', () => {
  test('a hold with a limit names the waves, when it would time out, the object and why', () => {
    const web = observed('web', 'Progressing', { message: '0 of 2 pods ready' });
    const verdict = { gate: 'hold', unhealthy: [web], since: START, until: START + 300_000 } as const;
    expect(gateMessage(verdict, WAVES)).toBe(
      'wave 2 waits for wave 1 to be healthy, until 2026-05-01T10:05:00Z (5m0s): ' +
        'apps/Deployment web in shop (Progressing: 0 of 2 pods ready)',
    );
  });

  test('a hold without a limit says so', () => {
    const verdict = { gate: 'hold', unhealthy: [observed('web')], since: START } as const;
    expect(gateMessage(verdict, WAVES)).toBe(
      'wave 2 waits for wave 1 to be healthy, without limit: apps/Deployment web in shop (no state yet)',
    );
  });

  test('a failed wave says what is not applied', () => {
    const web = observed('web', 'Degraded');
    const verdict = { gate: 'failed', unhealthy: [web], since: START, until: START + 60_000 } as const;
    expect(gateMessage(verdict, WAVES)).toBe(
      'wave 1 did not become healthy within 1m0s, so wave 2 is not applied: apps/Deployment web in shop (Degraded)',
    );
  });

  test.each([
    [5, /e in shop \(Degraded\)$/],
    [6, /; and 1 more$/],
    [300, /; and 295 more$/],
  ])('of %d objects at most five are named', (number, end) => {
    const unhealthy = Array.from({ length: number }, (_, i) =>
      observed(String.fromCharCode(97 + (i % 26)), 'Degraded'),
    );
    const message = gateMessage({ gate: 'hold', unhealthy, since: START }, WAVES);
    expect(message).toMatch(end);
    expect(message.match(/Deployment/g)).toHaveLength(5);
  });
});
