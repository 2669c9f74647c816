import { expect, test } from 'vitest';
import type { Release, ReleaseStatus } from '../../../../api/release.ts';
import { Halt } from '../../../../controller/release/halt.ts';
import { StatusDraft } from '../../../../controller/release/statusDraft.ts';

const FIRST = new Date('2026-05-01T10:00:00Z');
const LATER = new Date('2026-05-01T10:05:00Z');
const RENDER = { renderRef: `sha256:${'a'.repeat(64)}`, revision: 'one' };

function release(status?: ReleaseStatus): Release {
  const metadata = { name: 'app', namespace: 'shop', generation: 1 };
  const base = { apiVersion: 'v1', kind: 'Release' as const, metadata, spec: { source: { inline: '' } } };
  return status === undefined ? base : { ...base, status };
}

function sourceFailed(message: string): Halt {
  return new Halt(message, { reason: 'SourceFailed', stage: 'Source', resume: 'retry' });
}

/** Status after a reconcile that applied nothing, for `halt`. */
function halted(before: ReleaseStatus | undefined, at: Date, halt: Halt): ReleaseStatus {
  const draft = new StatusDraft(release(before), at);
  draft.halted(halt);
  return draft.status;
}

test('an attempt that fails in the same way again keeps its time, so that the status does not change', () => {
  const once = halted(undefined, FIRST, sourceFailed('gone'));
  expect(once.lastAttempted?.at).toBe('2026-05-01T10:00:00Z');
  expect(halted(once, LATER, sourceFailed('gone'))).toEqual(once);
});

test('an attempt that fails in another way has the time of that', () => {
  const once = halted(undefined, FIRST, sourceFailed('gone'));
  expect(halted(once, LATER, sourceFailed('forbidden')).lastAttempted?.at).toBe('2026-05-01T10:05:00Z');
});

test('a failure of the source after a success has its own time and keeps the render named', () => {
  const draft = new StatusDraft(release(), FIRST);
  draft.attempting(RENDER);
  const failed = halted(draft.status, LATER, sourceFailed('gone'));
  expect(failed.lastAttempted).toMatchObject({
    ...RENDER,
    at: '2026-05-01T10:05:00Z',
    failure: { stage: 'Source' },
  });
});

test('Applied stays as it is where a failure speaks of no object, once a render stands applied', () => {
  const applied = { type: 'Applied', status: 'True', reason: 'Applied' } as const;
  const condition = { ...applied, message: '', lastTransitionTime: '2026-05-01T09:00:00Z' };
  const status: ReleaseStatus = {
    conditions: [condition],
    lastSuccessful: { ...RENDER, at: '2026-05-01T09:00:00Z' },
  };
  expect(halted(status, FIRST, sourceFailed('gone')).conditions).toContainEqual(condition);
});

test('Applied is False where nothing was ever applied', () => {
  const { conditions } = halted(undefined, FIRST, sourceFailed('gone'));
  expect(conditions).toContainEqual(
    expect.objectContaining({ type: 'Applied', status: 'False', reason: 'SourceFailed' }),
  );
});

test('of more waves than a status can list the last are listed, since gates look at them', () => {
  const draft = new StatusDraft(release(), FIRST);
  const startedAt = '2026-05-01T10:00:00Z';
  draft.waves(
    Array.from({ length: 4_100 }, (_, number) => ({
      number,
      resources: 1,
      applied: 1,
      state: 'Completed',
      startedAt,
    })),
  );
  expect(draft.status.waves).toHaveLength(4_096);
  expect(draft.status.waves?.at(-1)?.number).toBe(4_099);
});

const ROLLOUT = { renderRef: RENDER.renderRef, startedAt: '2026-05-01T10:00:00.000Z' };

test('a rollback takes the last healthy render for applied, and is no entry in the history', () => {
  const history = [{ number: 2, ...RENDER, appliedAt: '2026-05-01T09:00:00Z' }];
  const draft = new StatusDraft(release({ history, waves: [] }), LATER);
  const other = `sha256:${'b'.repeat(64)}`;
  draft.rolledBack({ rendered: { renderRef: other }, revision: 'zero' }, 'why');
  expect(draft.status).toMatchObject({
    lastSuccessful: { renderRef: other, revision: 'zero', at: '2026-05-01T10:05:00Z' },
    history,
  });
  expect(draft.status.waves).toBeUndefined();
});

test('a rollout has the condition RolloutSucceeded, which stays when there is no rollout any more', () => {
  const draft = new StatusDraft(release(), FIRST);
  draft.rollout({ state: 'RolledBack', ...ROLLOUT, message: 'late' });
  const after = new StatusDraft(release(draft.status), LATER);
  after.rollout(undefined);
  expect(after.status.rollout).toBeUndefined();
  expect(after.status.conditions).toEqual([
    expect.objectContaining({
      type: 'RolloutSucceeded',
      status: 'False',
      reason: 'RolledBack',
      message: 'late',
    }),
  ]);
});
