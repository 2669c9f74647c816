import { describe, expect, test } from 'vitest';
import { rendersToKeep } from '../../../../engine/rollout/keep.ts';
import { notHeld, resolvePin } from '../../../../engine/rollout/pin.ts';
import { V1, V2, V3 } from './support.ts';

const entry = (number: number, renderRef: string) => ({ number, renderRef, revision: 'r', appliedAt: 'now' });
const history = [entry(3, V3), entry(2, V2)];
const attempt = (renderRef: string) => ({ renderRef, revision: 'r', at: 'now' });

describe('the render that a pin names (rollout.md, "Pins and history")', () => {
  test('by its digest', () => {
    expect(resolvePin({ renderRef: V1 }, { history })).toEqual({ renderRef: V1 });
  });

  test('by its number in the history', () => {
    expect(resolvePin({ history: 2 }, { history })).toEqual({ renderRef: V2 });
  });

  test('a number that was taken up stays when its entry leaves the history', () => {
    expect(resolvePin({ history: 1 }, { history, pin: { renderRef: V1, history: 1 } })).toEqual({
      renderRef: V1,
    });
  });

  test('another number does not', () => {
    const { problem } = resolvePin({ history: 9 }, { history, pin: { renderRef: V1, history: 1 } }) as {
      problem: string;
    };
    expect(problem).toBe('spec.pin.history: status.history has no number 9: pin one of 3, 2');
  });

  test('without a history there is nothing to pin', () => {
    const { problem } = resolvePin({ history: 1 }, {}) as { problem: string };
    expect(problem).toContain('it is empty, take spec.pin out');
  });
});

test('a pin to a render that is not held is told with those that are', () => {
  expect(notHeld(V1, [V3, V2], [entry(3, V3)])).toBe(
    `spec.pin: the render store does not hold ${V1}; pin one that it holds: ${V3} (history 3), ${V2}`,
  );
  expect(notHeld(V1, [])).toContain('it holds none: take spec.pin out');
});

describe('the renders that a store keeps (rollout.md, "Render store")', () => {
  const nothing = { spec: { source: {} } };

  test.each([
    ['the current one', { lastAttempted: attempt(V1) }],
    ['the last healthy one', { lastHealthy: attempt(V1) }],
    ['the last successful one', { lastSuccessful: attempt(V1) }],
    ['the pinned one', { pin: { renderRef: V1 } }],
    ['those of the history', { history: [entry(1, V1)] }],
  ])('%s', (_, status) => {
    expect([...rendersToKeep(nothing, status)]).toEqual([V1]);
  });

  test('one that spec.pin names, before it is applied', () => {
    expect([...rendersToKeep({ spec: { source: {}, pin: { renderRef: V1 } } }, {})]).toEqual([V1]);
  });
});
