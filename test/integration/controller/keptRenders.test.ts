import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { configMapYaml } from '../../support/releases.ts';
import { NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const secretsPath = (): string => `/api/v1/namespaces/${releases.namespace}/secrets`;

/** Digests of the renders that are kept in the test's namespace. */
async function kept(): Promise<string[]> {
  const { items } = (await releases.cluster.api.must('GET', secretsPath())) as unknown as {
    items: ApiObject[];
  };
  const names = items.filter((secret) => secret['type'] === 'convoy.kumodo.io/render');
  return names.map(({ metadata }) => `sha256:${metadata.name.slice(37, 101)}`).sort();
}

async function apply(value: string): Promise<string> {
  await releases.inline(configMapYaml('web', { value }));
  const { status } = await releases.until(
    ({ metadata, status: now }) => now?.observedGeneration === metadata.generation,
  );
  return status?.lastSuccessful?.renderRef ?? '';
}

test('the renders of the history are kept, and no others', async () => {
  await releases.create({ source: { inline: configMapYaml('web') }, historyLimit: 2 });
  const first = (await releases.ready('Applied')).status?.lastSuccessful?.renderRef ?? '';
  expect(await kept()).toEqual([first]);
  const second = await apply('2');
  expect(await kept()).toEqual([first, second].sort());
  const third = await apply('3');
  await expect.poll(kept).toEqual([second, third].sort());
  expect((await releases.get()).status?.history?.map(({ renderRef }) => renderRef)).toEqual([third, second]);
});

test('a render that is refused is not kept', async () => {
  await releases.create({ source: { inline: `${configMapYaml('web')}immutable: perhaps\n` } });
  await releases.ready('DryRunFailed');
  expect(await kept()).toEqual([]);
});

test('a render that was lost is kept again when a controller starts anew', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  const { status } = await releases.ready('Applied');
  const [name] = await secretNames();
  await releases.cluster.api.must('DELETE', `${secretsPath()}/${name}`);
  await releases.cluster.api.must('PATCH', `${secretsPath()}/${name}`, { metadata: { finalizers: null } });
  expect(await kept()).toEqual([]);
  const other = await ControllerProcess.start(releases.cluster.kubeconfigPath);
  await expect.poll(kept, { timeout: 20_000 }).toEqual([status?.lastSuccessful?.renderRef]);
  await other.stop();
});

async function secretNames(): Promise<string[]> {
  const { items } = (await releases.cluster.api.must('GET', secretsPath())) as unknown as {
    items: ApiObject[];
  };
  return items.map(({ metadata }) => metadata.name);
}

describe('a Release that is deleted leaves no render behind', { timeout: 90_000 }, () => {
  test.each(['background', 'foreground', 'orphan'])('--cascade=%s', async (cascade) => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    expect(await kept()).toHaveLength(1);
    const args = ['delete', 'release', NAME, '-n', releases.namespace, `--cascade=${cascade}`];
    await releases.cluster.kubectl(...args, '--timeout=80s');
    expect(await secretNames()).toEqual([]);
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test('also where somebody took its finalizer off', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    await releases.patch({ metadata: { finalizers: null } });
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--wait=false');
    await expect.poll(secretNames, { timeout: 20_000 }).toEqual([]);
  });
});
