import { describe, expect, test } from 'vitest';
import type { HealthState } from '../../../../api/healthRules.ts';
import type { Observed } from '../../../../controller/observer/observed.ts';
import { TrackedObject } from '../../../../controller/observer/trackedObject.ts';

const KEY = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' };
const IDENTITY = { key: KEY, release: 'shop/app', apiVersion: 'apps/v1' };
const SENT = { digest: 'body-1', renderRef: 'render-1' };

interface State {
  version: number;
  state?: HealthState;
  message?: string;
  mark?: string;
  uid?: string;
  unconfirmed?: true;
}

function state({
  version,
  state = 'Healthy',
  message = '',
  mark = 'ours',
  uid = 'u1',
  unconfirmed,
}: State): Observed {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid, resourceVersion: String(version) },
    assessment: { state, message, ...(unconfirmed === undefined ? {} : { unconfirmed }) },
    judgedBy: undefined,
    mark,
    owner: 'shop/app',
    editor: 'kubectl-edit',
  };
}

/** An object that was applied at version 10. */
function applied(at: Partial<State> = {}): TrackedObject {
  const object = new TrackedObject(IDENTITY);
  object.sending();
  object.applied(state({ version: 10, ...at }), SENT, 1000);
  return object;
}

function failAnApply(object: TrackedObject): void {
  object.sending();
  object.failed();
}

const healthOf = (object: TrackedObject) => object.healthFor('render-1');

describe('an object that is left to others once it exists', () => {
  const once = { ...SENT, isOnce: true };
  const left = (): TrackedObject => {
    const object = new TrackedObject(IDENTITY);
    object.sending();
    object.applied(state({ version: 10 }), once, 1000);
    return object;
  };

  test('is not drifted by edits', () => {
    const object = left();
    expect(object.seen(state({ version: 11, mark: 'theirs' }), 2000)).toBeUndefined();
    expect(object.isUnchanged('body-1')).toBe(true);
  });

  test('is drifted where it is gone, or made anew', () => {
    expect(left().gone('11', 2000)).toBe('drift');
    expect(left().seen(state({ version: 11, uid: 'u2' }), 2000)).toBe('drift');
  });
});

describe('whether an apply would change anything', () => {
  test('no, where the same body was sent and nobody touched what it set', () => {
    const object = applied();
    object.seen(state({ version: 11, state: 'Progressing' }), 2000);
    expect(object.isUnchanged('body-1')).toBe(true);
  });

  test.each<[string, (object: TrackedObject) => void]>([
    ['an applied field was touched', (object) => object.seen(state({ version: 11, mark: 'theirs' }), 2000)],
    ['it is gone', (object) => object.gone('11', 2000)],
    ['somebody made it anew', (object) => object.seen(state({ version: 12, uid: 'u2' }), 2000)],
    ['the last apply failed', failAnApply],
    ['somebody doubts it', (object) => object.doubt()],
  ])('yes, where %s', (_, happens) => {
    const object = applied();
    happens(object);
    expect(object.isUnchanged('body-1')).toBe(false);
  });

  test('yes, for another body and for one that was never sent', () => {
    expect(applied().isUnchanged('body-2')).toBe(false);
    expect(new TrackedObject(IDENTITY).isUnchanged('body-1')).toBe(false);
  });

  test('no longer, once it was applied again', () => {
    const object = applied();
    object.seen(state({ version: 11, mark: 'theirs' }), 2000);
    object.sending();
    object.applied(state({ version: 12, mark: 'ours' }), SENT, 3000);
    expect(object.isUnchanged('body-1')).toBe(true);
  });
});

describe('news', () => {
  test.each<[string, State, string | undefined]>([
    ['a state that changed', { version: 11, state: 'Degraded' }, 'state'],
    ['a message alone', { version: 11, message: '1 of 2' }, 'message'],
    ['neither', { version: 11 }, undefined],
    ['an edit of an applied field', { version: 11, mark: 'theirs' }, 'drift'],
    ['an edit that changes the state too', { version: 11, state: 'Degraded', mark: 'theirs' }, 'drift'],
    ['the echo of the apply', { version: 10, state: 'Degraded' }, undefined],
    ['what was before the apply', { version: 9, state: 'Degraded', mark: 'theirs' }, undefined],
  ])('of %s', (_, news, expected) => {
    expect(applied().seen(state(news), 2000)).toBe(expected);
  });

  test('of its end are drift, and it is not healthy then', () => {
    const object = applied();
    expect(object.gone('11', 2000)).toBe('drift');
    expect(healthOf(object)).toEqual({ state: 'Progressing', message: 'it is not there', since: 2000 });
  });

  test('of an end before the apply are old', () => {
    const object = applied();
    expect(object.gone('9', 2000)).toBeUndefined();
    expect(healthOf(object)?.state).toBe('Healthy');
  });

  test('that an apply on its way makes are no drift', () => {
    const object = applied();
    object.sending();
    expect(object.seen(state({ version: 11, mark: 'ours-2' }), 2000)).toBeUndefined();
    object.applied(state({ version: 11, mark: 'ours-2' }), { ...SENT, digest: 'body-2' }, 2001);
    expect(object.isUnchanged('body-2')).toBe(true);
  });

  test('that come before the answer of an apply and are newer count', () => {
    const object = applied();
    object.sending();
    object.seen(state({ version: 12, state: 'Degraded', mark: 'ours-2' }), 2000);
    object.applied(state({ version: 11, state: 'Progressing', mark: 'ours-2' }), SENT, 2001);
    expect(healthOf(object)).toMatchObject({ state: 'Degraded', since: 2000 });
    expect(object.isUnchanged('body-1')).toBe(true);
  });

  test('of an edit before the answer of an apply are not lost', () => {
    const object = applied();
    object.sending();
    object.seen(state({ version: 12, mark: 'theirs' }), 2000);
    expect(object.applied(state({ version: 11, mark: 'ours-2' }), SENT, 2001)).toBe('drift');
    expect(object.isUnchanged('body-1')).toBe(false);
  });
});

describe('its health', () => {
  test('counts for the render that it was applied for, and no other', () => {
    const object = applied();
    expect(object.healthFor('render-1')?.state).toBe('Healthy');
    expect(object.healthFor('render-2')).toBeUndefined();
    object.confirm({ ...SENT, renderRef: 'render-2' });
    expect(object.healthFor('render-2')?.state).toBe('Healthy');
    expect(object.healthFor('render-1')).toBeUndefined();
  });

  test('has a time that only another state moves', () => {
    const object = applied({ state: 'Progressing', message: '0 of 2' });
    object.seen(state({ version: 11, state: 'Progressing', message: '1 of 2' }), 2000);
    expect(healthOf(object)).toEqual({ state: 'Progressing', message: '1 of 2', since: 1000 });
    object.seen(state({ version: 12, state: 'Healthy' }), 3000);
    expect(healthOf(object)).toEqual({ state: 'Healthy', message: '', since: 3000 });
  });

  test('is what the answer of the apply tells, where a watch told of that state first and knew less', () => {
    const object = applied();
    object.sending();
    object.seen(state({ version: 11, state: 'Progressing' }), 2000);
    object.applied(state({ version: 11, state: 'Healthy' }), SENT, 2001);
    expect(healthOf(object)?.state).toBe('Healthy');
  });

  test('keeps the time that the inventory knows', () => {
    const object = new TrackedObject(IDENTITY, { state: 'Healthy', message: '', since: 7 });
    object.seen(state({ version: 10 }), 1000);
    object.sending();
    object.applied(state({ version: 10 }), SENT, 1000);
    expect(healthOf(object)).toEqual({ state: 'Healthy', message: '', since: 7 });
  });
});

describe('a Healthy that its controller may not have confirmed', () => {
  test('is Progressing until time has passed', () => {
    const object = applied({ unconfirmed: true });
    expect(healthOf(object)?.state).toBe('Progressing');
    expect(object.recheckAt).toBe(3000);
    expect(object.confirmPending(3000)).toBe('state');
    expect(healthOf(object)).toMatchObject({ state: 'Healthy', since: 3000 });
    expect(object.recheckAt).toBeUndefined();
  });

  test('is not confirmed by the echo of the apply', () => {
    const object = applied({ unconfirmed: true });
    expect(object.seen(state({ version: 10, unconfirmed: true }), 1001)).toBeUndefined();
    expect(healthOf(object)?.state).toBe('Progressing');
  });

  test('is not confirmed by an echo that comes before the answer', () => {
    const object = new TrackedObject(IDENTITY);
    object.seen(state({ version: 9, unconfirmed: true }), 500);
    object.sending();
    object.seen(state({ version: 10, unconfirmed: true }), 1000);
    object.applied(state({ version: 10, unconfirmed: true }), SENT, 1001);
    expect(healthOf(object)?.state).toBe('Progressing');
    expect(object.recheckAt).toBe(3001);
  });

  test('is confirmed by a later event', () => {
    const object = applied({ unconfirmed: true });
    expect(object.seen(state({ version: 11, unconfirmed: true }), 1100)).toBe('state');
    expect(healthOf(object)?.state).toBe('Healthy');
  });

  test('is believed at once where the apply changed nothing', () => {
    const object = new TrackedObject(IDENTITY);
    object.seen(state({ version: 10, unconfirmed: true }), 500);
    object.sending();
    object.applied(state({ version: 10, unconfirmed: true }), SENT, 1000);
    expect(healthOf(object)?.state).toBe('Healthy');
  });
});

describe('a loss of health', () => {
  test('counts from its begin through every state until it is over', () => {
    const object = applied();
    object.seen(state({ version: 11, state: 'Degraded' }), 2000);
    expect(healthOf(object)).toEqual({ state: 'Degraded', message: '', since: 2000 });
    object.seen(state({ version: 12, state: 'Progressing' }), 3000);
    object.seen(state({ version: 13, state: 'Degraded' }), 4000);
    expect(healthOf(object)).toMatchObject({ state: 'Degraded', since: 4000, unhealthySince: 2000 });
    object.seen(state({ version: 14 }), 5000);
    object.seen(state({ version: 15, state: 'Degraded' }), 6000);
    expect(healthOf(object)).toEqual({ state: 'Degraded', message: '', since: 6000 });
  });

  test('is remembered over a restart', () => {
    const known = { state: 'Progressing', message: '', since: 3000, unhealthySince: 2000 } as const;
    const object = new TrackedObject(IDENTITY, known);
    object.sending();
    object.applied(state({ version: 10, state: 'Degraded' }), SENT, 9000);
    expect(healthOf(object)).toMatchObject({ since: 9000, unhealthySince: 2000 });
  });
});

test('what is seen while an apply is on its way wakes nobody: who sent it takes what is known when it ends', () => {
  const object = applied();
  object.sending();
  expect(object.seen(state({ version: 11, state: 'Degraded', mark: 'new' }), 2000)).toBeUndefined();
  expect(object.applied(state({ version: 11, state: 'Degraded', mark: 'new' }), SENT, 3000)).toBeUndefined();
  expect(healthOf(object)).toMatchObject({ state: 'Degraded', since: 2000 });
  expect(object.seen(state({ version: 12, mark: 'new' }), 4000)).toBe('state');
});

describe('an object that was compared, and not applied', () => {
  const found = (difference: string | undefined, at: Partial<State> = {}): TrackedObject => {
    const object = new TrackedObject(IDENTITY);
    object.seen(state({ version: 10, ...at }), 1000);
    object.compared(state({ version: 10, ...at }), SENT, difference, 2000);
    return object;
  };

  test('and is as it should be counts as applied', () => {
    const object = found(undefined);
    expect(object.isUnchanged('body-1')).toBe(true);
    expect(healthOf(object)?.state).toBe('Healthy');
    expect(object.seen(state({ version: 11, mark: 'theirs' }), 3000)).toBe('drift');
    expect(object.isCompared('body-1')).toBe(false);
  });

  test('and differs is not compared again until something happens to it', () => {
    const object = found('changed', { mark: 'theirs' });
    expect(object.difference).toBe('changed');
    expect(object.isUnchanged('body-1')).toBe(false);
    expect(object.isCompared('body-1')).toBe(true);
    expect(object.isCompared('body-2')).toBe(false);
    expect(object.seen(state({ version: 11, mark: 'theirs' }), 3000)).toBe('message');
    expect(object.isCompared('body-1')).toBe(false);
  });

  test('and differs no more by an apply', () => {
    const object = found('changed', { mark: 'theirs' });
    object.sending();
    object.applied(state({ version: 12 }), SENT, 3000);
    expect(object.difference).toBeUndefined();
    expect(object.isUnchanged('body-1')).toBe(true);
  });

  test('and is not there is compared again when somebody makes it', () => {
    const object = new TrackedObject(IDENTITY);
    object.compared(undefined, SENT, 'it is not there', 2000);
    expect(object.isCompared('body-1')).toBe(true);
    expect(healthOf(object)?.state).toBe('Progressing');
    expect(object.seen(state({ version: 11 }), 3000)).toBe('state');
    expect(object.isCompared('body-1')).toBe(false);
  });

  test('while it changed is compared again', () => {
    const object = new TrackedObject(IDENTITY);
    object.seen(state({ version: 11, mark: 'theirs' }), 1000);
    expect(object.compared(state({ version: 10 }), SENT, 'changed', 2000)).toBe('message');
    expect(object.isCompared('body-1')).toBe(false);
  });
});
