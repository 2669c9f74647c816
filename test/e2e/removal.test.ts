import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace, useControlPlane } from '../controlplane/fixture.ts';
import { useController } from '../support/controllerProcess.ts';
import { allObjects } from '../support/liveObjects.ts';
import { createArchive, haveManifests, manifestsFolder } from '../support/manifests.ts';
import { createRelease, releasesPath, waitForReady } from '../support/releases.ts';

const TIMEOUT_MS = 120_000;

const SETS = [
  { name: 'kube-prometheus', path: './manifests', home: 'monitoring' },
  { name: 'ingress-nginx', path: '.', home: 'ingress-nginx' },
] as const;

describe.runIf(haveManifests())('the Release of real manifests leaves nothing behind', () => {
  const plane = useControlPlane({ kwok: false });
  beforeAll(() => installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath));
  useController(plane);

  async function applied(set: (typeof SETS)[number]): Promise<{ namespace: string; before: string[] }> {
    const { api } = plane();
    const namespace = await createNamespace(api, 'removal');
    await createArchive(api, { namespace, name: 'source', folder: manifestsFolder(set.name) });
    const before = [...(await allObjects(api)).keys()].sort();
    await createRelease(api, {
      ...{ namespace, name: set.name },
      spec: {
        source: { configMap: { name: 'source' } },
        content: { path: set.path },
        syncPolicy: { prune: { orphaned: true } },
      },
    });
    return { namespace, before };
  }

  async function expectRemoved(name: string, namespace: string, before: string[]): Promise<void> {
    const { api } = plane();
    await api.must('DELETE', `${releasesPath(namespace)}/${name}`);
    await api.waitForGone(releasesPath(namespace), name, TIMEOUT_MS);
    expect([...(await allObjects(api)).keys()].sort()).toEqual(before);
  }

  test.each(SETS)(
    '$name when it is installed',
    async (set) => {
      const { namespace, before } = await applied(set);
      await waitForReady(plane().api, { namespace, name: set.name }, 'Applied', TIMEOUT_MS);
      await expectRemoved(set.name, namespace, before);
    },
    240_000,
  );

  test.each(SETS)(
    '$name while it is being installed',
    async (set) => {
      const { namespace, before } = await applied(set);
      // They are applied in the middle; the one that each namespace has is none of them.
      await plane().api.waitFor(
        `/api/v1/namespaces/${set.home}/serviceaccounts`,
        ({ metadata }) => metadata.name !== 'default',
        { timeoutMs: TIMEOUT_MS },
      );
      await expectRemoved(set.name, namespace, before);
    },
    240_000,
  );
});
