import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEALTH_STATES } from '../../../../api/healthRules.ts';
import { MAX_HEALTH_MESSAGE } from '../../../../api/limits.ts';
import type { KubeObject } from '../../../../api/object.ts';
import { assess } from '../../../../engine/health/assess.ts';
import { HEALTHY } from './healthyObjects.ts';
import { condition, NOW, object } from './support.ts';

const byKind = HEALTHY.map((healthy): [string, KubeObject] => [healthy.kind, healthy]);

/** A value of each type; of the numbers none is one that a status has. */
const WRONG = [-1.5, 1e300, true, 'x'.repeat(10), '', [], [[]], [null], {}, { x: 1 }];

/** What it is, as far as a replacement of another kind is concerned. */
const shape = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

/** The object with one field of its status replaced, for each field at any depth. */
function* replaced(target: KubeObject, wrong: unknown): Generator<[string, KubeObject]> {
  function* walk(
    value: unknown,
    path: string,
    put: (value: unknown) => KubeObject,
  ): Generator<[string, KubeObject]> {
    if (shape(value) !== shape(wrong) || typeof wrong === 'number') yield [path, put(wrong)];
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      const copy = (field: unknown) =>
        put(
          Array.isArray(value)
            ? value.map((old: unknown, index) => (String(index) === key ? field : old))
            : { ...value, [key]: field },
        );
      yield* walk((value as Record<string, unknown>)[key], `${path}.${key}`, copy);
    }
  }
  yield* walk(target['status'], 'status', (status) => ({ ...target, status }));
}

describe.each(byKind)('%s', (_, healthy) => {
  it('is Healthy to begin with', () => {
    expect(assess(healthy, NOW)).toMatchObject({ state: 'Healthy' });
  });

  it('is not Healthy by a status with a field of a wrong type', () => {
    for (const wrong of WRONG)
      for (const [path, broken] of replaced(healthy, wrong))
        expect(assess(broken, NOW).state, `${path}: ${JSON.stringify(wrong)}`).not.toBe('Healthy');
  });

  it.each([['Ready'], [7], [true], [[]]])('is not Healthy by the status %j', (status) => {
    expect(assess({ ...healthy, status }, NOW).state).not.toBe('Healthy');
  });

  it('takes a status of null for none', () => {
    expect(assess({ ...healthy, status: null }, NOW)).toEqual(assess({ ...healthy, status: undefined }, NOW));
  });

  it('is never Healthy while an earlier generation is observed', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 1000 }), (observed, ahead) => {
        const metadata = { ...healthy.metadata, generation: observed + ahead };
        const status = { ...(healthy['status'] as object), observedGeneration: observed };
        expect(assess({ ...healthy, metadata, status }, NOW).state).toBe('Progressing');
      }),
      { numRuns: 20 },
    );
  });

  it('has the same answer for the same object, changes nothing in it, and never throws', () => {
    const status = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom('conditions', 'phase', 'replicas', 'observedGeneration', 'parents', 'listeners'),
        fc.oneof(
          fc.jsonValue(),
          fc.array(fc.record({ type: fc.constantFrom('Ready', 'Accepted'), status: fc.jsonValue() })),
        ),
      ),
    );
    fc.assert(
      fc.property(status, fc.jsonValue(), (anyStatus, anySpec) => {
        const hostile: KubeObject = { ...healthy, status: anyStatus, spec: anySpec };
        const before = JSON.stringify(hostile);
        const answer = assess(hostile, NOW);
        expect(HEALTH_STATES).toContain(answer.state);
        expect(Buffer.byteLength(answer.message)).toBeLessThanOrEqual(MAX_HEALTH_MESSAGE);
        expect(answer.message).not.toBe('');
        expect(assess(JSON.parse(before) as KubeObject, NOW)).toEqual(answer);
        expect(JSON.stringify(hostile)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });
});

describe('what is no object at all', () => {
  it('is Unknown, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(assess(value as KubeObject, NOW).state).toBe('Unknown');
      }),
    );
  });
});

describe('a hostile object', () => {
  const widget = (...conditions: unknown[]) => object('example.com/v1', 'Widget', { status: { conditions } });
  const message = (text: string) =>
    assess(widget(condition('Ready', 'False', { message: text })), NOW).message;

  it.each([
    ['two conditions of one type', widget(condition('Ready', 'True'), condition('Ready', 'False'))],
    ['a status of a condition that is none', widget(condition('Ready', 'Yes'))],
    ['a time that is none', widget(condition('Ready', 'True', { lastTransitionTime: 'yesterday' }))],
    [
      'a generation that is none',
      object('v1', 'Pod', { metadata: { generation: 'x' }, status: { phase: 'Succeeded' } }),
    ],
    [
      'more conditions than there can be',
      widget(...Array.from({ length: 5000 }, () => condition('Ready', 'True'))),
    ],
  ])('is Unknown: %s', (_, hostile) => {
    expect(
      assess({ ...hostile, status: { observedGeneration: 2, ...(hostile['status'] as object) } }, NOW),
    ).toMatchObject({ state: 'Unknown' });
  });

  it('names the field that it cannot read', () => {
    const deployment = object('apps/v1', 'Deployment', {
      status: { observedGeneration: 2, replicas: 'three' },
    });
    expect(assess(deployment, NOW).message).toBe('status.replicas should be a whole number');
  });

  it('cannot name a kind that the table inherits', () => {
    expect(assess(object('', 'constructor'), NOW)).toMatchObject({ state: 'Healthy', message: 'there' });
  });

  it.each([
    ['a', 'a'.repeat(197) + '…'],
    ['é', 'é'.repeat(98) + '…'],
    ['漢', '漢'.repeat(65) + '…'],
    ['😀', '😀'.repeat(49) + '…'],
  ])('has its message cut between two characters: %s', (character, expected) => {
    expect(message(character.repeat(100_000))).toBe(expected);
  });

  it('keeps a message of exactly the limit', () => {
    expect(message('a'.repeat(MAX_HEALTH_MESSAGE))).toBe('a'.repeat(MAX_HEALTH_MESSAGE));
  });

  it('cannot move the cursor, break the line or turn the writing round', () => {
    expect(message('one\n\ttwo\u001b[2Jthree\u202efour')).toBe('one two [2Jthree four');
  });

  it('cannot bring half a character', () => {
    expect(message('half \ud83d')).toBe('half \ufffd');
  });
});
