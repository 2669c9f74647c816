import { afterEach, expect, test } from 'vitest';
import { createNamespace } from '../../controlplane/fixture.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { documents, NAME, useReleases } from './fixture.ts';

const releases = useReleases();

let ending = '';
afterEach(() => hold(ending, []));

const pathOf = (namespace: string): string => `/api/v1/namespaces/${namespace}`;

/** A Namespace that is being deleted, and held by an object in it. */
async function createEnding(): Promise<string> {
  ending = await createNamespace(releases.cluster.api);
  await releases.cluster.api.must('POST', `${pathOf(ending)}/configmaps`, {
    metadata: { name: 'holder', finalizers: ['example.org/hold'] },
  });
  await releases.cluster.api.must('DELETE', pathOf(ending));
  return ending;
}

async function hold(namespace: string, finalizers: string[]): Promise<void> {
  const path = `${pathOf(namespace)}/configmaps/holder`;
  await releases.cluster.api.request('PATCH', path, { metadata: { finalizers } });
}

const later = (name: string): string =>
  configMapYaml(`${name}, annotations: {convoy.kumodo.io/sync-wave: "1"}`);

test('of a Namespace that is being deleted the objects are named, those of others go on, and the Release can go', async () => {
  const namespace = await createEnding();
  const lost = configMapYaml(`lost, namespace: ${namespace}`);
  await releases.create({ source: { inline: documents(lost, configMapYaml('web'), later('late')) } });
  const release = await releases.ready('ApplyFailed');
  const message = readyMessage(release);
  expect(message).toContain(`ConfigMap lost in ${namespace}`);
  expect(message).toContain('its Namespace is being deleted: wait until it is gone, or choose another one');
  expect(message).not.toContain('it is tried again');
  expect(await releases.find('configmaps/web')).toBeDefined();
  expect(await releases.find('configmaps/late')).toBeDefined();

  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

test('what stood in a Namespace that somebody deletes is told, and others are still put right', async () => {
  ending = await createNamespace(releases.cluster.api);
  const lost = configMapYaml(`lost, namespace: ${ending}`);
  await releases.create({ source: { inline: documents(lost, later('late')) } });
  await releases.ready('Applied');
  await releases.cluster.api.must('POST', `${pathOf(ending)}/configmaps`, {
    metadata: { name: 'holder', finalizers: ['example.org/hold'] },
  });
  await releases.cluster.api.must('DELETE', pathOf(ending));
  const message = readyMessage(await releases.ready('ApplyFailed'));
  expect(message).toContain(`ConfigMap lost in ${ending}`);
  await releases.cluster.api.must('DELETE', `${pathOf(releases.namespace)}/configmaps/late`);
  await releases.cluster.api.waitForNamed(`${pathOf(releases.namespace)}/configmaps`, 'late', () => true);
});
