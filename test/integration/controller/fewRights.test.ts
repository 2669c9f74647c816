import { beforeAll, expect, test } from 'vitest';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { configMapYaml, releasesPath } from '../../support/releases.ts';
import { configMapIn, deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { condition, NAME, Releases } from './fixture.ts';

const cluster = useCluster();
const USER = 'convoy-with-few-rights';
/** As many as are reconciled at once. */
const WORKERS = 8;

let controller: ControllerProcess;
const releases = new Releases(cluster, useNamespace(cluster), () => controller);

async function grant(name: string, rules: object[]): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await cluster.api.must('POST', `${rbac}/clusterroles`, { metadata: { name }, rules });
  await cluster.api.must('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', name: USER, apiGroup: 'rbac.authorization.k8s.io' }],
  });
}

beforeAll(async () => {
  await grant(USER, [
    { apiGroups: ['core.convoy.kumodo.io'], resources: ['*'], verbs: ['*'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'patch', 'create'] },
  ]);
});

test('Releases whose source may not be watched say so, hold up nobody, and heal when the right is given', async () => {
  controller = await ControllerProcess.start(await cluster.kubeconfigFor(USER));
  const names = Array.from({ length: WORKERS }, (_, index) => `bound-${index}`);
  await releases.createConfigMap('source', { data: { 'web.yaml': configMapYaml('web') } });
  for (const name of names) await releases.create({ source: { configMap: { name: 'source' } } }, { name });
  const [first = ''] = names;
  for (const name of names) {
    const release = await releases.ready('SourceFailed', name);
    expect(condition(release, 'Ready')?.message).toContain('cannot list resource "configmaps"');
  }

  await releases.create({ source: { inline: configMapYaml('inline') } }, { name: 'free' });
  await releases.ready('Applied', 'free');

  await grant(`${USER}-watch`, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }]);
  await releases.ready('Applied', first);
  expect(await controller.stop()).toBe(0);
});

test('a deletion that is short of a right says so, and goes on when it is given', async () => {
  controller = await ControllerProcess.start(await cluster.kubeconfigFor(USER));
  const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web}\n';
  const mayApply = [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['patch', 'create'] }];
  await grant(`${USER}-apply`, mayApply);
  await releases.create({ source: { inline: account } });
  await releases.ready('Applied');

  await cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
  const held = await releases.ready('Deleting');
  expect(condition(held, 'Ready')?.message).toContain('cannot get resource "serviceaccounts"');

  const mayDelete = [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'watch', 'delete'] }];
  await grant(`${USER}-delete`, mayDelete);
  await releases.untilGone('releases.core.convoy.kumodo.io', NAME);
  expect(await controller.stop()).toBe(0);
});

test('a wave of objects that may not be watched is looked at, and opens its gate', async () => {
  controller = await ControllerProcess.start(await cluster.kubeconfigFor(USER));
  await grant(`${USER}-deployments`, [
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['patch', 'create'] },
  ]);
  const source = sourceOf(
    deploymentIn({ wave: 0 }, 'store', { delay: '2s' }),
    configMapIn({ wave: 1, strategy: 'waitForHealthy' }, 'front'),
  );
  await releases.create({ source: { inline: source }, healthAssessment: {} });
  await releases.ready('WaitingForWaveHealth');
  await releases.ready('Applied');
  expect(await controller.stop()).toBe(0);
}, 60_000);
