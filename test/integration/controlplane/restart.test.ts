import { expect, test } from 'vitest';
import { kubectl, useControlPlane } from '../../controlplane/fixture.ts';
import { deployment, statusNumber } from './workloads.ts';

const plane = useControlPlane({ audit: true, nodes: 2 });

test('the audit log tells who created what, and when with microseconds', async () => {
  await plane().api.must('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'seen' } });
  const isCreate =
    (stage: string) => (event: Awaited<ReturnType<ReturnType<typeof plane>['auditEvents']>>[number]) =>
      event.stage === stage && event.verb === 'create' && event.objectRef?.name === 'seen';
  const complete = await plane().waitForAuditEvent(isCreate('ResponseComplete'));
  expect(complete.user.username).toBe('kubernetes-admin');
  expect(complete.objectRef).toMatchObject({ resource: 'configmaps', namespace: 'default' });
  expect(complete.responseStatus?.code).toBe(201);
  expect(complete.requestReceivedTimestamp).toMatch(/\.\d{6}Z$/);
});

test('the audit log leaves out what the control plane reads', async () => {
  const events = await plane().auditEvents();
  const reads = events.filter(
    ({ user, verb }) => user.username.startsWith('system:kube-') && ['get', 'list', 'watch'].includes(verb),
  );
  expect(events.some(({ verb }) => verb === 'create')).toBe(true);
  expect(reads).toEqual([]);
});

test('there are as many nodes as asked for', async () => {
  const names = await kubectl(plane().binDir, plane().kubeconfigPath, ['get', 'nodes', '-o', 'name']);
  expect(names.trim().split('\n')).toEqual(['node/node-0', 'node/node-1']);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'data outlive an API server that ends by %s, and controllers go on',
  async (signal) => {
    const name = `kept-${signal.toLowerCase()}`;
    const before = await plane().api.must('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name },
    });
    await plane().stopApiServer(signal);
    await expect(plane().api.request('GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
    await plane().startApiServer();
    const after = await plane().api.must('GET', `/api/v1/namespaces/default/configmaps/${name}`);
    expect(after.metadata.uid).toBe(before.metadata.uid);
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    await plane().api.must('POST', deployments, deployment(name, 1));
    await plane().api.waitForNamed(deployments, name, (d) => statusNumber(d, 'availableReplicas') === 1);
  },
);
