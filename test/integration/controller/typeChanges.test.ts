import { afterEach, describe, expect, test } from 'vitest';
import { isTrue } from '../../controlplane/conditions.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { documents, NAME, useReleases } from './fixture.ts';
import { boatYaml } from './objects.ts';

const releases = useReleases();

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const APISERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const version = (name: string, served: boolean, storage: boolean) => ({ name, served, storage, schema });

let made: string | undefined;
afterEach(async () => {
  if (made !== undefined) await releases.cluster.api.must('DELETE', `${CRDS}/${made}`);
  made = undefined;
});

/** A CRD of somebody else, in version v1. */
async function createCrd(group: string): Promise<void> {
  made = `boats.${group}`;
  await releases.cluster.api.must('POST', CRDS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: made },
    spec: {
      group,
      names: { kind: 'Boat', plural: 'boats' },
      scope: 'Namespaced',
      versions: [version('v1', true, true)],
    },
  });
  await served(`v1.${group}`);
}

async function served(apiService: string): Promise<void> {
  await releases.cluster.api.waitForNamed(APISERVICES, apiService, (service) => isTrue(service, 'Available'));
}

test('an object whose type was moved to another version is not taken for gone', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const boats = `/apis/${group}/v2/namespaces/${releases.namespace}/boats`;
  await createCrd(group);
  await releases.create({ source: { inline: boatYaml(group, 'titanic') } });
  await releases.ready('Applied');
  await releases.cluster.api.must('PATCH', `${CRDS}/boats.${group}`, {
    spec: { versions: [version('v1', false, false), version('v2', true, true)] },
  });
  await served(`v2.${group}`);
  expect(await releases.findAt(`${boats}/titanic`)).toBeDefined();

  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
  expect(await releases.findAt(`${boats}/titanic`)).toBeUndefined();
});

test('an object whose type is gone counts as gone', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  await createCrd(group);
  await releases.create({
    source: { inline: boatYaml(group, 'titanic') },
    syncPolicy: { prune: { orphaned: true } },
  });
  await releases.ready('Applied');
  await releases.cluster.kubectl('delete', 'crd', `boats.${group}`, '--timeout=30s');
  made = undefined;
  await releases.inline(configMapYaml('web'));
  const { status } = await releases.ready('Applied');
  expect(status?.inventory).toEqual({ entries: 1, shards: 1 });
});

test('an instance of a type that comes by other hands is applied when it is there', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  await releases.create({ source: { inline: boatYaml(group, 'titanic') } });
  await releases.ready('WaitingForStage');
  await createCrd(group);
  await releases.ready('Applied');
  expect(
    await releases.findAt(`/apis/${group}/v1/namespaces/${releases.namespace}/boats/titanic`),
  ).toBeDefined();
});

test('a Release whose type is taken away says so, and heals when it is back', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  await createCrd(group);
  await releases.create({ source: { inline: boatYaml(group, 'titanic') } });
  await releases.ready('Applied');
  await releases.cluster.kubectl('delete', 'crd', `boats.${group}`, '--timeout=30s');
  made = undefined;
  await releases.patch({ metadata: { annotations: { touched: 'yes' } } });
  // While the type is on its way out the API server says otherwise.
  await releases.until((release) =>
    readyMessage(release).includes(`the cluster does not serve the kind Boat in ${group}/v1`),
  );
  await createCrd(group);
  await releases.ready('Applied');
  expect(await releases.find('boats/titanic', `/apis/${group}/v1`)).toBeDefined();
});

describe('an instance of a type that something brings when it runs', () => {
  test('is held, with all else of its wave applied, until the type is in use', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const next = configMapYaml('next, annotations: {convoy.kumodo.io/sync-wave: "1"}');
    const source = documents(configMapYaml('operator'), boatYaml(group, 'titanic'), next);
    await releases.create({ source: { inline: source } });
    const message = readyMessage(await releases.ready('WaitingForStage'));
    expect(message).toContain(`${group}/Boat titanic in ${releases.namespace}: the cluster has no kind Boat`);
    expect(await releases.find('configmaps/operator')).toBeDefined();
    expect(await releases.find('configmaps/next')).toBeUndefined();
    await createCrd(group);
    const { status } = await releases.ready('Applied');
    expect(await releases.find('boats/titanic', `/apis/${group}/v1`)).toBeDefined();
    expect(await releases.find('configmaps/next')).toBeDefined();
    expect(status?.inventory?.entries).toBe(3);
  });

  test('fails when the time of its gate is over, and the Release can be deleted', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const boat = boatYaml(group, 'titanic, annotations: {convoy.kumodo.io/sync-timeout: 1s}');
    await releases.create({ source: { inline: documents(configMapYaml('operator'), boat) } });
    const message = readyMessage(await releases.ready('ApplyFailed'));
    expect(message).toContain(`the cluster does not serve the kind Boat in ${group}/v1`);
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
    expect(await releases.find('configmaps/operator')).toBeUndefined();
  });
});
