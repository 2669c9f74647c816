import { expect, test } from 'vitest';
import type { KubeObject } from '../../../api/object.ts';
import { EventRecorder } from '../../../kube/events.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { configMap, useClient } from './clientFixture.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const admin = useClient(cluster);

function recorder(errors: unknown[]): EventRecorder {
  const reporter = { controller: 'convoy.kumodo.io/controller', instance: 'test' };
  return new EventRecorder({ client: admin().client, reporter, onError: (error) => errors.push(error) });
}

const eventsOf = async (regarding: KubeObject, where: string): Promise<KubeObject[]> => {
  const { client, resource } = admin();
  const { items } = await client.list(await resource('events.k8s.io', 'Event'), { namespace: where });
  return items.filter((event) => (event['regarding'] as { uid?: string }).uid === regarding.metadata.uid);
};

test('the API server takes an event, its microtime and its series', async () => {
  const { client, resource } = admin();
  const regarding = await client.create(await resource('', 'ConfigMap'), configMap(namespace(), 'a', {}));
  const errors: unknown[] = [];
  const events = recorder(errors);
  const event = {
    regarding,
    type: 'Warning',
    reason: 'ApplyFailed',
    action: 'Apply',
    message: 'ü'.repeat(2000),
  } as const;
  for (let i = 0; i < 3; i++) events.record(event);
  await events.flush();
  events.record(event);
  await events.flush();
  expect(errors).toEqual([]);
  const [first, ...more] = await eventsOf(regarding, namespace());
  expect(more).toEqual([]);
  expect(first).toMatchObject({ type: 'Warning', reason: 'ApplyFailed', series: { count: 4 } });
  expect(first?.['eventTime']).toMatch(/\.\d{6}Z$/);
  const seen = await cluster.kubectl('-n', namespace(), 'events', '--for', 'configmap/a');
  expect(seen).toContain('ApplyFailed');
});

test('events about cluster-scoped objects with odd names stand in the default namespace', async () => {
  const { client, resource } = admin();
  const name = `test:Reader.${namespace()}`;
  const roles = await resource('rbac.authorization.k8s.io', 'ClusterRole');
  const regarding = await client.create(roles, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [],
  });
  const errors: unknown[] = [];
  const events = recorder(errors);
  events.record({ regarding, type: 'Normal', reason: 'Applied', action: 'Apply', message: 'applied' });
  await events.flush();
  await client.delete(roles, { name });
  expect(errors).toEqual([]);
  expect(await eventsOf(regarding, 'default')).toHaveLength(1);
});
