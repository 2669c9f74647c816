import { expect, it } from 'vitest';
import { assess } from '../../../../engine/health/assess.ts';
import type { Assessment } from '../../../../engine/health/assessment.ts';
import type { KubeObject } from '../../../../api/object.ts';

export const NOW = new Date('2026-03-01T12:00:00Z');

/** A time before NOW, as the API server writes it. */
export const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString();

/** Parts of an object, as hostile as the test wants them. */
export interface Parts {
  metadata?: Record<string, unknown>;
  spec?: unknown;
  status?: unknown;
}

export function object(apiVersion: string, kind: string, parts: Parts = {}): KubeObject {
  const metadata = { name: 'web', namespace: 'shop', generation: 2, ...parts.metadata };
  return { ...parts, apiVersion, kind, metadata };
}

/** What is expected of a case: its state, and what its message has to hold. */
export type Expected = readonly [state: Assessment['state'], message: string];
export type Case = readonly [name: string, parts: Parts, ...expected: Expected];

/** One test per case, named by it. */
export function decides(apiVersion: string, kind: string, cases: readonly Case[]): void {
  it.each(cases)('%s', (_, parts, state, message) => {
    const answer = assess(object(apiVersion, kind, parts), NOW);
    expect(answer).toMatchObject({ state });
    expect(answer.message).toContain(message);
  });
}

export const condition = (type: string, status: string, rest: Record<string, unknown> = {}) => ({
  type,
  status,
  ...rest,
});
