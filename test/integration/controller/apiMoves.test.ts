import { expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { configMapYaml } from '../../support/releases.ts';
import { sourceOf } from '../../support/wavedObjects.ts';
import { namesIn, useReleases } from './fixture.ts';

const releases = useReleases();

const PRUNE = { syncPolicy: { prune: { orphaned: true } } };

/** An autoscaler for 50 % of CPU, as each version writes it. */
const hpa = (version: 'v1' | 'v2'): object => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: {
    maxReplicas: 2,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    ...(version === 'v1'
      ? { targetCPUUtilizationPercentage: 50 }
      : {
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
        }),
  },
});

/** One object that two API groups serve. */
function event(group: '' | 'events.k8s.io'): object {
  const regarding = { kind: 'ConfigMap', name: 'web', namespace: releases.namespace };
  const common = {
    kind: 'Event',
    metadata: { name: 'web' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    action: 'Test',
    reason: 'Test',
    type: 'Normal',
    reportingInstance: 'test',
  };
  return group === ''
    ? {
        apiVersion: 'v1',
        ...common,
        involvedObject: regarding,
        message: 'm',
        reportingComponent: 'a.example/b',
      }
    : { apiVersion: 'events.k8s.io/v1', ...common, regarding, note: 'm', reportingController: 'a.example/b' };
}

test('another version of an API is an update of the same object, and nothing is pruned', async () => {
  await releases.create({ source: { inline: sourceOf(hpa('v1')) }, ...PRUNE });
  await releases.ready('Applied');
  const path = 'horizontalpodautoscalers/web';
  const before = await releases.find(path, '/apis/autoscaling/v2');
  await releases.inline(sourceOf(hpa('v2')));
  const { status } = await releases.ready('Applied');
  const after = await releases.find(path, '/apis/autoscaling/v2');
  expect(after?.metadata.uid).toBe(before?.metadata.uid);
  expect(after?.['spec']).toEqual(before?.['spec']);
  expect(status?.inventory?.entries).toBe(1);
});

test('an object whose type moves to another API group stays the same object, and is not pruned under its old name', async () => {
  await releases.create({ source: { inline: sourceOf(event('')) }, ...PRUNE });
  await releases.ready('Applied');
  const before = (await releases.find('events/web')) as ApiObject;
  await releases.inline(`${sourceOf(event('events.k8s.io'))}---\n${configMapYaml('web')}`);
  const { status } = await releases.ready('Applied');
  expect((await releases.find('events/web'))?.metadata.uid).toBe(before.metadata.uid);
  expect(status?.inventory?.entries).toBe(2);
  const [shard] = await releases.inventory();
  expect(shard === undefined ? [] : namesIn(shard)).toEqual(['web', 'web']);
  expect(JSON.stringify(shard)).toContain('events.k8s.io');
});
