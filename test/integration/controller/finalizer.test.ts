import { expect, test } from 'vitest';
import { FINALIZER } from '../../../api/annotations.ts';
import { API_VERSION, RESOURCES } from '../../../api/group.ts';
import type { Release } from '../../../api/release.ts';
import { releaseFinalizer } from '../../../controller/release/finalizer.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { releasesPath } from '../../support/releases.ts';
import { useClient } from '../kube/clientFixture.ts';
import { NAME } from './fixture.ts';

const cluster = useCluster();
const client = useClient(cluster);
const namespace = useNamespace(cluster);

/** A Release that is being deleted and held by Convoy alone, as a watch has shown it. */
async function deletedRelease(): Promise<Release> {
  const path = releasesPath(namespace());
  const spec = { source: { inline: 'kind: List' }, suspend: true };
  const metadata = { name: NAME, finalizers: [FINALIZER] };
  await cluster.api.must('POST', path, { apiVersion: API_VERSION, kind: 'Release', metadata, spec });
  await cluster.api.must('DELETE', `${path}/${NAME}`);
  return (await cluster.api.must('GET', `${path}/${NAME}`)) as unknown as Release;
}

test('a Release that was let go already is no error: a watch may tell late', async () => {
  const seen = await deletedRelease();
  await releaseFinalizer(client().client, RESOURCES.Release, seen);
  expect((await cluster.api.request('GET', `${releasesPath(namespace())}/${NAME}`)).status).toBe(404);
  await releaseFinalizer(client().client, RESOURCES.Release, seen);
});

test('a Release made anew under the name keeps its finalizer', async () => {
  const seen = await deletedRelease();
  await releaseFinalizer(client().client, RESOURCES.Release, seen);
  const anew = await deletedRelease();
  await expect(releaseFinalizer(client().client, RESOURCES.Release, seen)).rejects.toMatchObject({
    status: 409,
  });
  await releaseFinalizer(client().client, RESOURCES.Release, anew);
});
