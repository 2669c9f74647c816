import { expect, test } from 'vitest';
import type { ReleaseInventorySpec } from '../../../api/inventory.ts';
import { isByConvoy } from '../../support/auditOrder.ts';
import { configMapYaml, readyMessage, releasesPath } from '../../support/releases.ts';
import { isEstablished } from '../kube/boats.ts';
import { documents, NAME, useAuditedReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const { releases, plane } = useAuditedReleases();

const HOLD = 'test.convoy.kumodo.io/hold';
const MANY = 200;

async function deleteRelease(): Promise<void> {
  await releases.cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
}

async function restartApiServer(): Promise<void> {
  await plane().stopApiServer('SIGKILL');
  await plane().startApiServer();
}

/** Nothing of the Release is left. kubectl looks again where an API server that was started anew knows no old version. */
async function gone(): Promise<void> {
  await releases.untilGone('releases.core.convoy.kumodo.io', NAME);
  expect(await releases.inventory()).toEqual([]);
}

test('a deletion that waits for a finalizer while the API server is killed goes on by itself', async () => {
  await releases.create({ source: { inline: configMapYaml(`held, finalizers: [${HOLD}]`) } });
  await releases.ready('Applied');
  await deleteRelease();
  await releases.ready('Deleting');
  await restartApiServer();
  await releases.patchConfigMap('held', { metadata: { finalizers: null } });
  await gone();
}, 240_000);

test('a deletion in the middle of which the API server is killed leaves nothing behind', async () => {
  const names = Array.from({ length: MANY }, (_, index) => `web-${index}`);
  await releases.create({ source: { inline: documents(...names.map((name) => configMapYaml(name))) } });
  await releases.ready('Applied', NAME, 60_000);
  await deleteRelease();
  await plane().waitForAuditEvent(
    (event) =>
      isByConvoy(event) &&
      event.verb === 'delete' &&
      event.stage === 'ResponseComplete' &&
      event.objectRef?.namespace === releases.namespace,
  );
  await restartApiServer();
  await gone();
  const left = await releases.cluster.kubectl('get', 'configmaps', '-n', releases.namespace, '-o', 'name');
  expect(left).not.toContain('web-');
}, 240_000);

test('objects of an API whose server is away are not taken for gone; force-finalize lets the Release go', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const crd = `boats.${group}`;
  await releases.create({ source: { inline: boatCrdYaml(group) } }, { name: 'types' });
  await releases.ready('Applied', 'types');
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await releases.cluster.api.waitForNamed(crds, crd, isEstablished);
  await releases.create({ source: { inline: documents(boatYaml(group, 'titanic'), configMapYaml('web')) } });
  const { metadata } = await releases.ready('Applied');
  // From here on the API server asks a server for the group that nobody runs.
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  await releases.cluster.api.must('POST', `/api/v1/namespaces/${releases.namespace}/services`, {
    metadata: { name: 'away' },
    spec: { ports: [{ port: 443 }] },
  });
  await releases.cluster.api.must('PATCH', `${services}/v1.${group}`, {
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } },
    spec: {
      service: { name: 'away', namespace: releases.namespace, port: 443 },
      insecureSkipTLSVerify: true,
    },
  });
  await releases.cluster.api.waitForNamed(services, `v1.${group}`, ({ status }) =>
    JSON.stringify(status).includes('"status":"False"'),
  );

  await deleteRelease();
  const held = await releases.ready('Deleting', NAME, 60_000);
  expect(readyMessage(held)).not.toBe('');
  const shards = (await releases.inventory()).filter(({ metadata: { name } }) =>
    name.startsWith(metadata.uid ?? '-'),
  );
  const listed = shards.flatMap(({ spec }) => (spec as ReleaseInventorySpec).entries);
  expect(listed.map(({ kind }) => kind)).toContain('Boat');

  await releases.patch({ metadata: { annotations: { 'convoy.kumodo.io/force-finalize': 'true' } } });
  await releases.untilGone('releases.core.convoy.kumodo.io', NAME);
  await releases.event('Warning', 'LeftBehind', `${group}/Boat titanic in ${releases.namespace}`);
  await releases.cluster.api.must('DELETE', `${services}/v1.${group}`);
}, 240_000);
