import { afterEach, describe, expect, test } from 'vitest';
import { createNamespace } from '../../controlplane/fixture.ts';
import { JudgingWebhook } from '../../support/admissionWebhook.ts';
import { configMapYaml, createRelease, readyMessage, releasesPath } from '../../support/releases.ts';
import { isEstablished } from '../kube/boats.ts';
import { documents, NAME, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const releases = useReleases();

const HOLD = 'test.convoy.kumodo.io/hold';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Below the 30 s for which the API server waits for the slowest webhook. */
const MEANWHILE_MS = 20_000;

const configMaps = (): string => `/api/v1/namespaces/${releases.namespace}/configmaps`;

async function deleteRelease(): Promise<void> {
  await releases.cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
}

/** Nothing of the Release is left. */
async function gone(timeoutMs?: number): Promise<void> {
  await releases.cluster.api.waitForGone(releasesPath(releases.namespace), NAME, timeoutMs);
  expect(await releases.inventory()).toEqual([]);
}

async function suspend(name?: string): Promise<void> {
  await releases.patch({ spec: { suspend: true } }, name);
  await releases.ready('Suspended', name);
}

describe('a webhook of somebody else that does not answer', () => {
  let webhook: JudgingWebhook | undefined;
  let answer = Promise.withResolvers<undefined>();

  /** Answers nothing that is asked about the object `web`. @returns resolves when it is asked */
  async function silent(
    operation: 'CREATE' | 'DELETE',
    timeoutSeconds: number,
  ): Promise<{ asked: Promise<undefined> }> {
    const asked = Promise.withResolvers<undefined>();
    answer = Promise.withResolvers();
    const { api } = releases.cluster;
    const watched = { resource: 'configmaps', operation, timeoutSeconds };
    webhook = await JudgingWebhook.start(api, releases.namespace, watched, async ({ name, dryRun }) => {
      if (name !== 'web' || dryRun) return undefined;
      asked.resolve(undefined);
      await answer.promise;
      return undefined;
    });
    const probe = { metadata: { name: 'probe' } };
    await api.must('POST', configMaps(), probe);
    await webhook.inUse(() =>
      operation === 'DELETE'
        ? api.request('DELETE', `${configMaps()}/probe?dryRun=All`)
        : api.request('POST', `${configMaps()}?dryRun=All`, probe),
    );
    return { asked: asked.promise };
  }

  afterEach(async () => {
    answer.resolve(undefined);
    await webhook?.end();
    webhook = undefined;
  });

  test('to an apply does not hold up the deletion, and nothing is left when it answers', async () => {
    const { asked } = await silent('CREATE', 30);
    await releases.create({ source: { inline: configMapYaml('web') } });
    await asked;
    await deleteRelease();
    await gone(MEANWHILE_MS);
    answer.resolve(undefined);
    // It is asked about this one after it has answered for the other.
    await releases.createConfigMap('after', {});
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test('to a delete is told in the status, and the Release goes when it answers', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    const { asked } = await silent('DELETE', 1);
    await deleteRelease();
    await asked;
    const held = await releases.ready('Deleting');
    expect(readyMessage(held)).toContain(`ConfigMap web in ${releases.namespace}`);
    expect(readyMessage(held)).toContain('failed calling webhook');
    answer.resolve(undefined);
    await gone();
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });
});

describe('a Release goes where the type of an object', () => {
  /** A Release with an instance of a type that another Release has brought. */
  async function instance(metadata = 'titanic'): Promise<string> {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    await releases.create({ source: { inline: boatCrdYaml(group) } }, { name: 'types' });
    await releases.ready('Applied', 'types');
    await releases.cluster.api.waitForNamed(CRDS, `boats.${group}`, isEstablished);
    await releases.create({ source: { inline: documents(boatYaml(group, metadata), configMapYaml('web')) } });
    await releases.ready('Applied');
    await suspend('types');
    return group;
  }

  async function goneOfOne(): Promise<void> {
    await releases.cluster.api.waitForGone(releasesPath(releases.namespace), NAME);
    expect(await releases.find('configmaps/web')).toBeUndefined();
  }

  test('is gone before', async () => {
    const group = await instance();
    await releases.cluster.kubectl('delete', 'crd', `boats.${group}`, '--timeout=30s');
    await deleteRelease();
    await goneOfOne();
  });

  test('goes while the object does', async () => {
    const group = await instance(`titanic, finalizers: [${HOLD}]`);
    await deleteRelease();
    expect(readyMessage(await releases.ready('Deleting'))).toContain(`${group}/Boat titanic`);
    await releases.cluster.api.must('DELETE', `${CRDS}/boats.${group}`);
    const boats = `/apis/${group}/v1/namespaces/${releases.namespace}/boats`;
    await releases.cluster.api.must('PATCH', `${boats}/titanic`, { metadata: { finalizers: null } });
    await goneOfOne();
  });
});

describe('the deletion of its own namespace takes a Release', () => {
  async function applied(home: string): Promise<void> {
    const objects = documents(
      configMapYaml('near'),
      configMapYaml(`far, namespace: ${releases.namespace}`),
      configMapYaml(`held, namespace: ${releases.namespace}, finalizers: [${HOLD}]`),
      'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: near}\n',
    );
    await releases.cluster.api.must('POST', `/api/v1/namespaces/${home}/configmaps`, {
      metadata: { name: 'source' },
      data: { 'objects.yaml': objects },
    });
    const spec = { source: { configMap: { name: 'source' } } };
    await createRelease(releases.cluster.api, { namespace: home, name: NAME, spec });
    await releases.cluster.api.waitForNamed(releasesPath(home), NAME, ({ status }) =>
      JSON.stringify(status ?? {}).includes('"lastSuccessful"'),
    );
  }

  async function endNamespace(home: string): Promise<void> {
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${home}`);
    await releases.cluster.api.waitForNamed(releasesPath(home), NAME, ({ status }) =>
      JSON.stringify(status).includes(HOLD),
    );
    expect(await releases.find('configmaps/held')).toBeDefined();
    await releases.patchConfigMap('held', { metadata: { finalizers: null } });
    await releases.cluster.kubectl('wait', '--for=delete', `namespace/${home}`, '--timeout=60s');
    expect(await releases.find('configmaps/far')).toBeUndefined();
    expect(await releases.find('configmaps/held')).toBeUndefined();
  }

  test('with its source, its inventory, and what it had applied there and elsewhere', async () => {
    const home = await createNamespace(releases.cluster.api);
    await applied(home);
    await endNamespace(home);
  }, 120_000);

  test('that is suspended', async () => {
    const home = await createNamespace(releases.cluster.api);
    await applied(home);
    await releases.cluster.api.must('PATCH', `${releasesPath(home)}/${NAME}`, { spec: { suspend: true } });
    await endNamespace(home);
  }, 120_000);
});

test('a Release goes where the namespace of its objects is deleted at the same time', async () => {
  const own = await createNamespace(releases.cluster.api);
  const held = configMapYaml(`held, namespace: ${own}, finalizers: [${HOLD}]`);
  await releases.create({ source: { inline: held } });
  await releases.ready('Applied');
  await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${own}`);
  await deleteRelease();
  expect(readyMessage(await releases.ready('Deleting'))).toContain(HOLD);
  const path = `/api/v1/namespaces/${own}/configmaps/held`;
  await releases.cluster.api.must('PATCH', path, { metadata: { finalizers: null } });
  await gone();
});

describe('of the objects of a Release that is deleted, one that', () => {
  test('somebody else is deleting is waited for', async () => {
    await releases.create({ source: { inline: configMapYaml(`held, finalizers: [${HOLD}]`) } });
    await releases.ready('Applied');
    await releases.cluster.api.must('DELETE', `${configMaps()}/held`);
    await deleteRelease();
    expect(readyMessage(await releases.ready('Deleting'))).toContain(HOLD);
    await releases.patchConfigMap('held', { metadata: { finalizers: null } });
    await gone();
  });

  test('is gone already is no matter', async () => {
    await releases.create({ source: { inline: documents(configMapYaml('web'), configMapYaml('other')) } });
    await releases.ready('Applied');
    await suspend();
    await releases.cluster.api.must('DELETE', `${configMaps()}/web`);
    await deleteRelease();
    await gone();
    expect(await releases.find('configmaps/other')).toBeUndefined();
  });

  test('somebody else has made anew is left, and an event says so', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    await suspend();
    await releases.cluster.api.must('DELETE', `${configMaps()}/web`);
    await releases.createConfigMap('web', { data: { by: 'hand' } });
    await deleteRelease();
    await gone();
    expect((await releases.find('configmaps/web'))?.['data']).toEqual({ by: 'hand' });
    await releases.event('Warning', 'LeftBehind', 'made anew by somebody else');
  });

  test('somebody else makes anew in the very moment of its deletion is left', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    let isFirst = true;
    const makeAnew = async (): Promise<undefined> => {
      if (!isFirst) return;
      isFirst = false;
      await releases.cluster.api.must('DELETE', `${configMaps()}/web`);
      await releases.createConfigMap('web', { data: { by: 'hand' } });
    };
    const webhook = await JudgingWebhook.start(
      releases.cluster.api,
      releases.namespace,
      { resource: 'configmaps', operation: 'DELETE' },
      ({ name, dryRun }) => (name !== 'web' || dryRun ? undefined : makeAnew()),
    );
    await webhook.inUse(() => releases.cluster.api.request('DELETE', `${configMaps()}/web?dryRun=All`));
    await deleteRelease();
    await gone();
    expect((await releases.find('configmaps/web'))?.['data']).toEqual({ by: 'hand' });
    await webhook.end();
  });
});
