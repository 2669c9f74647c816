import { expect, test } from 'vitest';
import { hooksOf } from '../../../../engine/hooks/hook.ts';
import { hookProblems } from '../../../../engine/hooks/problems.ts';
import { orderProblems } from '../../../../engine/plan/order.ts';
import { objectsOfPlan, planOf } from '../../../../engine/plan/plan.ts';
import { sketch } from '../plan/support.ts';
import { releaseWith } from './support.ts';

const job = (name: string, annotations: Record<string, string>, namespace = 'shop') =>
  sketch({ group: 'batch', kind: 'Job', name, namespace, annotations, spec: { backoffLimit: 1 } });

test('the hooks of the spec come first in their order, then those of the render by their waves', () => {
  const lifecycleHooks = {
    preSync: [
      { name: 'z', job: {} },
      { name: 'y', job: {} },
    ],
    syncFailed: [{ name: 'x', job: {} }],
  };
  const plan = planOf([
    job('b', { hook: 'preSync' }),
    job('a', { hook: 'preSync', 'sync-wave': '2' }),
    job('c', { hook: 'preSync', 'sync-wave': '-1' }),
    job('d', { hook: 'postSync' }),
  ]);
  const names = hooksOf(releaseWith({ lifecycleHooks }), plan).map(({ phase, name }) => `${phase} ${name}`);
  expect(names).toEqual([
    'preSync z',
    'preSync y',
    'preSync c',
    'preSync b',
    'preSync a',
    'postSync d',
    'syncFailed x',
  ]);
});

test('a hook has what its author gave it, and defaults for the rest', () => {
  const lifecycleHooks = {
    preSync: [
      { name: 'a', job: { backoffLimit: 2 }, timeout: '1m', onFailure: 'Continue' as const },
      { name: 'b', job: {} },
    ],
  };
  const plan = planOf([job('c', { hook: 'postSync', 'sync-timeout': '90s' }, 'jobs')]);
  expect(hooksOf(releaseWith({ lifecycleHooks, targetNamespace: 'front' }), plan)).toMatchObject([
    { name: 'a', namespace: 'front', timeoutMs: 60_000, isRequired: false, spec: { backoffLimit: 2 } },
    { name: 'b', namespace: 'front', timeoutMs: 300_000, isRequired: true },
    { name: 'c', namespace: 'jobs', timeoutMs: 90_000, isRequired: true, spec: { backoffLimit: 1 } },
  ]);
});

test('a hook of the render is no resource, and its wave is nothing to other objects', () => {
  const namespace = sketch({ kind: 'Namespace', name: 'shop', annotations: { 'sync-wave': '3' } });
  const hook = job('a', { hook: 'preSync', 'sync-wave': '-5', 'apply-order': '1' });
  const plan = planOf([namespace, hook]);
  expect(objectsOfPlan(plan).map(({ key }) => key.kind)).toEqual(['Namespace']);
  expect(plan.defaultStrategy).toBe('waitForApplied');
  expect(orderProblems([namespace, hook])).toEqual([]);
});

test('a value that names no phase leaves the Job a resource', () => {
  expect(objectsOfPlan(planOf([job('a', { hook: 'sometimes' })]))).toHaveLength(1);
});

test.each([
  [
    'a claim',
    sketch({ kind: 'PersistentVolumeClaim', namespace: 'shop', annotations: { hook: 'preSync' } }),
    /^PersistentVolumeClaim a in shop: annotation convoy\.kumodo\.io\/hook: preSync: only a Job/,
  ],
  [
    'a CronJob',
    sketch({ group: 'batch', kind: 'CronJob', namespace: 'shop', annotations: { hook: 'postSync' } }),
    /only a Job/,
  ],
  [
    'a Job of another group',
    sketch({ group: 'other.io', kind: 'Job', namespace: 'shop', annotations: { hook: 'postSync' } }),
    /only a Job/,
  ],
])('%s is no hook', (_, object, message) => {
  expect(hookProblems(releaseWith(), planOf([object]))).toEqual([expect.stringMatching(message)]);
});

test('two hooks that the status could not tell apart are refused', () => {
  const lifecycleHooks = { preSync: [{ name: 'a', job: {} }], postSync: [{ name: 'b', job: {} }] };
  const plan = planOf([
    job('a', { hook: 'preSync' }),
    job('b', { hook: 'preSync' }),
    job('a', { hook: 'preSync' }, 'jobs'),
  ]);
  expect(hookProblems(releaseWith({ lifecycleHooks }), plan)).toEqual([
    'spec.lifecycleHooks.preSync: a is the name of a preSync hook of the render in shop too: give one of the two another name',
  ]);
});

test('more hooks than a status holds are refused', () => {
  const jobs = Array.from({ length: 65 }, (_, index) => job(`a${index}`, { hook: 'preSync' }));
  expect(hookProblems(releaseWith(), planOf(jobs))).toEqual([expect.stringContaining('65 hooks')]);
  expect(hookProblems(releaseWith(), planOf(jobs.slice(1)))).toEqual([]);
});
