import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hookJob, hookJobName, withheldTtl } from '../../../../engine/hooks/job.ts';
import { hookOf, OTHER, releaseWith, RENDER } from './support.ts';

const SYNC = { renderRef: RENDER, startedAt: '2026-01-01T00:00:00.000Z' };
const OCCASION = { renderRef: RENDER, revision: 'v1', reason: 'NewRender' };

test('the name of a Job is a DNS label, whatever the names of the Release and the hook', () => {
  const part = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/);
  fc.assert(
    fc.property(part, part, (release, name) => {
      const owner = releaseWith();
      owner.metadata.name = release;
      expect(hookJobName(hookOf('preSync', name), owner, SYNC)).toMatch(/^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/);
    }),
  );
});

test('the same hook in the same sync has one name, and every other has another', () => {
  const hook = hookOf('preSync', 'a');
  const name = hookJobName(hook, releaseWith(), SYNC);
  expect(hookJobName(hook, releaseWith(), { ...SYNC, passed: ['preSync'] })).toBe(name);
  const another = releaseWith();
  another.metadata.uid = '12';
  const others = [
    hookJobName(hook, another, SYNC),
    hookJobName(hook, releaseWith(), { ...SYNC, renderRef: OTHER }),
    hookJobName(hook, releaseWith(), { ...SYNC, request: 'one' }),
    hookJobName(hook, releaseWith(), { ...SYNC, startedAt: '2026-01-01T00:00:01.000Z' }),
    hookJobName(hookOf('postSync', 'a'), releaseWith(), SYNC),
    hookJobName(hookOf('preSync', 'b'), releaseWith(), SYNC),
    hookJobName(hookOf('preSync', 'a', { namespace: 'jobs' }), releaseWith(), SYNC),
  ];
  expect(new Set([name, ...others]).size).toBe(others.length + 1);
});

test('a syncFailed hook has a Job of its own for each failure', () => {
  const failed = (reason: 'WaveFailed' | 'HookFailed', at: string) =>
    hookJobName(hookOf('syncFailed', 'a'), releaseWith(), { ...SYNC, failure: { reason, at } });
  expect(failed('WaveFailed', SYNC.startedAt)).toBe(failed('WaveFailed', SYNC.startedAt));
  expect(failed('WaveFailed', SYNC.startedAt)).not.toBe(failed('HookFailed', SYNC.startedAt));
  expect(failed('WaveFailed', SYNC.startedAt)).not.toBe(failed('WaveFailed', '2026-01-02T00:00:00.000Z'));
});

test.each([
  [undefined, 5_000, 5],
  [undefined, 1_500, 2],
  [undefined, 1, 1],
  [3, 5_000, 3],
  [9, 5_000, 5],
])(
  'a deadline of %s with a timeout of %i ms ends the Job after %i s',
  (activeDeadlineSeconds, timeoutMs, seconds) => {
    const spec = activeDeadlineSeconds === undefined ? {} : { activeDeadlineSeconds };
    const job = hookJob(hookOf('preSync', 'a', { spec, timeoutMs }), releaseWith(), 'a-1', OCCASION);
    expect(job['spec']).toMatchObject({ activeDeadlineSeconds: seconds });
  },
);

test('the TTL of the author is withheld, and known', () => {
  const hook = hookOf('preSync', 'a', { spec: { ttlSecondsAfterFinished: 0, backoffLimit: 1 } });
  const { spec } = hookJob(hook, releaseWith(), 'a-1', OCCASION);
  expect(spec).not.toHaveProperty('ttlSecondsAfterFinished');
  expect(spec).toMatchObject({ backoffLimit: 1 });
  expect(withheldTtl(hook)).toBe(0);
  expect(withheldTtl(hookOf('preSync', 'a'))).toBeUndefined();
});

test('every container is told of the sync; what is no list of containers is left for the API server to judge', () => {
  const container = (name: string) => ({
    name,
    env: [
      { name: 'OWN', value: '1' },
      { name: 'CONVOY_RENDER', value: 'x' },
    ],
  });
  const template = { spec: { initContainers: [container('a')], containers: [container('b')], volumes: [] } };
  const job = hookJob(hookOf('preSync', 'a', { spec: { template } }), releaseWith(), 'a-1', OCCASION);
  const env = [
    { name: 'CONVOY_RELEASE', value: 'app' },
    { name: 'CONVOY_NAMESPACE', value: 'shop' },
    { name: 'CONVOY_RENDER', value: RENDER },
    { name: 'CONVOY_REVISION', value: 'v1' },
    { name: 'CONVOY_PHASE', value: 'preSync' },
    { name: 'CONVOY_REASON', value: 'NewRender' },
    { name: 'OWN', value: '1' },
  ];
  expect(job['spec']).toMatchObject({
    template: {
      spec: { initContainers: [{ name: 'a', env }], containers: [{ name: 'b', env }], volumes: [] },
    },
  });
  for (const odd of [undefined, 'x', {}, { spec: { containers: 'x' } }, { spec: { containers: [1] } }]) {
    const strange = hookJob(
      hookOf('preSync', 'a', { spec: { template: odd } }),
      releaseWith(),
      'a-1',
      OCCASION,
    );
    expect(strange['spec']).toMatchObject({ template: odd });
  }
});

test('only in the namespace and the cluster of its Release can a Job name it as its owner', () => {
  const owners = (namespace: string) =>
    hookJob(hookOf('preSync', 'a', { namespace }), releaseWith(), 'a-1', OCCASION).metadata.ownerReferences;
  expect(owners('shop')).toMatchObject([{ kind: 'Release', name: 'app', uid: '11' }]);
  expect(owners('jobs')).toBeUndefined();
  const elsewhere = releaseWith({ clusterRef: { name: 'prod' } });
  expect(
    hookJob(hookOf('preSync', 'a'), elsewhere, 'a-1', OCCASION).metadata.ownerReferences,
  ).toBeUndefined();
});
