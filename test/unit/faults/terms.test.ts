import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../controlplane/audit.ts';
import { termsOf } from '../../faults/terms.ts';

const at = (second: number): string => `2026-05-01T10:00:${String(second).padStart(2, '0')}.250000Z`;

function event(second: number, by: string, rest: Partial<AuditEvent>): AuditEvent {
  return {
    auditID: `${second}`,
    stage: 'RequestReceived',
    requestReceivedTimestamp: at(second),
    stageTimestamp: at(second),
    verb: 'patch',
    requestURI: '/x',
    user: { username: by },
    userAgent: 'convoy/0.1.0',
    ...rest,
  };
}

const LEASE = { resource: 'leases', name: 'convoy-controller', namespace: 'convoy-system' };
const lease = (second: number, by: string, code = 200): AuditEvent =>
  event(second, by, { stage: 'ResponseComplete', responseStatus: { code }, objectRef: LEASE });
const apply = (second: number, by: string, name: string): AuditEvent =>
  event(second, by, { objectRef: { resource: 'configmaps', namespace: 'x', name } });
const seconds = (second: number): number => Date.parse('2026-05-01T10:00:00Z') / 1000 + second + 0.25;

describe('terms of leaders', () => {
  it('begin with the first write of the Lease that is accepted, and end with that of another one', () => {
    const events = [
      lease(1, 'a'),
      apply(2, 'a', 'one'),
      lease(3, 'b', 409),
      apply(4, 'a', 'two'),
      lease(5, 'b'),
      lease(6, 'b'),
      apply(7, 'b', 'three'),
    ];
    expect(termsOf(events)).toEqual({
      terms: [
        { by: 'a', from: seconds(1), wrote: { first: seconds(2), last: seconds(4) } },
        { by: 'b', from: seconds(5), wrote: { first: seconds(7), last: seconds(7) } },
      ],
      usurped: [],
      repeated: [],
    });
  });

  it('show who writes without holding the Lease: before, after, and between', () => {
    const events = [apply(0, 'a', 'one'), lease(1, 'a'), lease(3, 'b'), apply(4, 'a', 'two'), lease(5, 'a')];
    const { usurped, terms } = termsOf(events);
    expect(usurped).toEqual([
      `a at ${at(0)}: patch /x, while nobody led`,
      `a at ${at(4)}: patch /x, while b led`,
    ]);
    expect(terms.map(({ by, wrote }) => [by, wrote])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['a', undefined],
    ]);
  });

  it('show what one of them applies more than once, and count neither trials nor reads nor what others write', () => {
    const objectRef = { resource: 'configmaps', namespace: 'x', name: 'one' };
    const events = [
      lease(1, 'a'),
      apply(2, 'a', 'one'),
      event(3, 'a', { objectRef, requestURI: '/x?dryRun=All' }),
      event(4, 'a', { objectRef, verb: 'get' }),
      event(5, 'somebody', { objectRef, userAgent: 'kubectl' }),
      apply(6, 'a', 'one'),
      lease(7, 'b'),
      apply(8, 'b', 'one'),
      apply(9, 'b', 'two'),
    ];
    const { usurped, repeated } = termsOf(events);
    expect(usurped).toEqual([]);
    expect(repeated).toEqual([`a since ${seconds(1)}: x/one`]);
  });
});
