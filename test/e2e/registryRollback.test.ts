import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Release, ReleaseSpec } from '../../api/release.ts';
import type { ApiObject } from '../controlplane/apiAccess.ts';
import { useCluster, useNamespace } from '../controlplane/fixture.ts';
import { NAME, Releases } from '../integration/controller/fixture.ts';
import { RegistryServer } from '../registry/registryServer.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { deploymentIn, type Fate, sourceOf } from '../support/wavedObjects.ts';

const cluster = useCluster();
let registry: RegistryServer;
let controller: ControllerProcess;
const releases = new Releases(cluster, useNamespace(cluster), () => controller);

beforeAll(async () => {
  registry = await RegistryServer.start();
  const flags = ['--render-store', `oci://${registry.host}/team/renders`];
  controller = await ControllerProcess.start(cluster.kubeconfigPath, flags);
});

afterAll(async () => {
  await controller.stop();
  await registry.stop();
});

const SPEC: Omit<ReleaseSpec, 'source'> = {
  healthAssessment: { deadline: '4s' },
  failurePolicy: { rollback: 'OnReleaseFailure' },
};

const version = (fate: Fate): string => sourceOf(deploymentIn({ wave: 0 }, 'store', fate));

const stateIs =
  (state: string) =>
  ({ metadata, status }: Release): boolean =>
    status?.observedGeneration === metadata.generation && status?.rollout?.state === state;

/** Digests of the renders that the registry has of a Release. */
async function kept({ metadata: { uid = '' } }: Release): Promise<string[]> {
  const answer = await fetch(`${registry.url}/v2/team/renders/tags/list`);
  const { tags } = (await answer.json()) as { tags: string[] | null };
  return (tags ?? [])
    .filter((tag) => tag.startsWith(uid))
    .map((tag) => `sha256:${tag.slice(uid.length + 1)}`);
}

async function renderSecrets(): Promise<ApiObject[]> {
  const { items } = (await cluster.api.must(
    'GET',
    `/api/v1/namespaces/${releases.namespace}/secrets`,
  )) as unknown as { items: ApiObject[] };
  return items;
}

test('a Release goes back to a render that a registry keeps, and takes its renders with it when it is deleted', async () => {
  await releases.create({ source: { inline: version({}) }, ...SPEC });
  const first = (await releases.until(stateIs('Succeeded'))).status?.lastHealthy?.renderRef ?? '';
  await releases.inline(version({ fail: 'crash' }));
  const back = await releases.until(stateIs('RolledBack'));
  expect(back.status?.lastSuccessful?.renderRef).toBe(first);
  expect(await kept(back)).toEqual([first, back.status?.rollout?.renderRef].sort());
  expect(await renderSecrets()).toEqual([]);
  await cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=60s');
  expect(await kept(back)).toEqual([]);
});

test('a registry that is away holds up neither an apply nor a deletion, and is told', async () => {
  await releases.create({ source: { inline: version({}) }, ...SPEC });
  await releases.until(stateIs('Succeeded'));
  await registry.stop();
  await releases.inline(version({ delay: '100ms' }));
  const where = `registry ${registry.host}: `;
  const event = await releases.event('Warning', 'RenderNotStored', where);
  expect(event['note']).toContain('connection refused');
  await releases.until(stateIs('Succeeded'));
  await cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=60s');
  await releases.event('Warning', 'RendersNotCollected', where);
});
