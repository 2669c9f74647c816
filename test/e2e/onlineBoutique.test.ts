import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { API_VERSION } from '../../api/group.ts';
import { useCluster, useNamespace } from '../controlplane/fixture.ts';
import { useController } from '../support/controllerProcess.ts';
import { haveManifests, manifestsFolder } from '../support/manifests.ts';
import { waitForReady } from '../support/releases.ts';

describe.runIf(haveManifests())('online-boutique as one Release', () => {
  const cluster = useCluster();
  const namespace = useNamespace(cluster);
  useController(cluster);

  test('goes through kubectl apply to running workloads', async () => {
    const folder = join(manifestsFolder('online-boutique'), 'kustomize/base');
    const services = (await readdir(folder))
      .filter((file) => file !== 'kustomization.yaml')
      .map((file) => file.replace('.yaml', ''));
    expect(services.length).toBeGreaterThan(10);
    await cluster.kubectl('create', 'configmap', 'boutique', '-n', namespace(), `--from-file=${folder}`);

    const temporary = await mkdtemp(join(tmpdir(), 'convoy-boutique-'));
    const file = join(temporary, 'release.json');
    const metadata = { name: 'boutique', namespace: namespace() };
    await writeFile(
      file,
      JSON.stringify({
        apiVersion: API_VERSION,
        kind: 'Release',
        metadata,
        spec: { source: { configMap: { name: 'boutique' } } },
      }),
    );
    await cluster.kubectl('apply', '-f', file);
    await rm(temporary, { recursive: true });
    await waitForReady(cluster.api, metadata, 'Applied', 60_000);

    const deployments = (await cluster.kubectl('get', 'deployments', '-n', namespace(), '-o', 'name'))
      .trim()
      .split('\n');
    expect(deployments.length).toBeGreaterThanOrEqual(services.length);
    for (const deployment of deployments)
      await cluster.kubectl('rollout', 'status', deployment, '-n', namespace(), '--timeout=60s');
  }, 180_000);
});
