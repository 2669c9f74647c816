import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { API_VERSION } from '../../api/group.ts';
import { installCrds } from '../controlplane/crds.ts';
import { useConvoy } from '../integration/plugin/plugin.ts';
import { createNamespace, kubectl, useControlPlane } from '../controlplane/fixture.ts';
import { type Write, writesOfConvoy } from '../support/auditOrder.ts';
import { useController } from '../support/controllerProcess.ts';
import { inventoryOf, labelledObjects } from '../support/liveObjects.ts';
import { createArchive, haveManifests, manifestsFolder } from '../support/manifests.ts';
import { waitForReady } from '../support/releases.ts';

const OBJECTS = 131;
const NAME = 'kube-prometheus';

describe.runIf(haveManifests())('kube-prometheus as one Release', () => {
  const plane = useControlPlane({ audit: true });
  beforeAll(() => installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath));
  const controller = useController(plane);
  const convoy = useConvoy({
    get binDir() {
      return plane().binDir;
    },
    get kubeconfigPath() {
      return plane().kubeconfigPath;
    },
  });
  let namespace = '';
  let writes: Write[] = [];

  beforeAll(async () => {
    const { api, binDir, kubeconfigPath, dir } = plane();
    namespace = await createNamespace(api, 'monitoring-source');
    await createArchive(api, { namespace, name: 'source', folder: manifestsFolder(NAME) });
    const file = join(dir, 'release.yaml');
    const spec = { source: { configMap: { name: 'source' } }, content: { path: './manifests' } };
    await writeFile(
      file,
      JSON.stringify({ apiVersion: API_VERSION, kind: 'Release', metadata: { name: NAME, namespace }, spec }),
    );
    await kubectl(binDir, kubeconfigPath, ['apply', '-f', file]);
    await waitForReady(api, { namespace, name: NAME }, 'Applied', 180_000);
    writes = writesOfConvoy(await plane().auditEvents());
  }, 240_000);

  test('every object of the manifests is on the cluster, and the inventory lists just those', async () => {
    const { api, binDir, kubeconfigPath } = plane();
    const listed = await kubectl(binDir, kubeconfigPath, [
      'get',
      '-R',
      '-f',
      join(manifestsFolder(NAME), 'manifests'),
      '-o',
      'name',
    ]);
    expect(listed.trim().split('\n')).toHaveLength(OBJECTS);
    const release = await waitForReady(api, { namespace, name: NAME }, 'Applied');
    const inventory = await inventoryOf(api, { namespace, uid: release.metadata.uid ?? '' });
    expect(inventory).toEqual(await labelledObjects(api, { namespace, name: NAME }));
    expect(inventory.size).toBe(OBJECTS);
  });

  test('release diff finds no difference in them', async () => {
    const { code, stdout, stderr } = await convoy(['release', 'diff', NAME, '-n', namespace]);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: `no difference: a sync would change none of ${OBJECTS} objects\n`,
    });
  });

  test('each CRD reaches the API server before its instances', () => {
    const crds = writes.filter(({ resource }) => resource === 'customresourcedefinitions');
    expect(crds).toHaveLength(10);
    const instances = writes.filter(({ group }) => group === 'monitoring.coreos.com');
    expect(instances.length).toBeGreaterThan(20);
    for (const instance of instances) {
      const crd = crds.find(({ name }) => name === `${instance.resource}.${instance.group}`);
      expect(crd?.at, `${instance.resource} ${instance.name}`).toBeLessThan(instance.at);
    }
  });

  test('the namespace reaches the API server before all that lives in it', () => {
    const created = writes.find(({ resource, name }) => resource === 'namespaces' && name === 'monitoring');
    const content = writes.filter(
      (write) => write.namespace === 'monitoring' && write.resource !== 'namespaces',
    );
    expect(content.length).toBeGreaterThan(80);
    for (const write of content)
      expect(created?.at, `${write.resource} ${write.name}`).toBeLessThan(write.at);
  });

  test('nothing is applied twice', () => {
    const sent = writes
      .filter(({ resource }) => !['releases', 'releaseinventories', 'events'].includes(resource))
      .map(({ group, resource, namespace: home, name }) => `${resource}.${group}/${home}/${name}`);
    expect(sent).toHaveLength(OBJECTS);
    expect(new Set(sent).size).toBe(OBJECTS);
  });

  test('what has pods becomes available, though the APIService and the custom resources do not', async () => {
    const { api } = plane();
    for (const deployment of ['grafana', 'kube-state-metrics', 'prometheus-adapter', 'prometheus-operator']) {
      await api.waitForNamed('/apis/apps/v1/namespaces/monitoring/deployments', deployment, (object) => {
        const { availableReplicas = 0 } = object['status'] as { availableReplicas?: number };
        return availableReplicas > 0;
      });
    }
    const service = await api.must(
      'GET',
      '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io',
    );
    expect(JSON.stringify(service['status'])).toContain('"status":"False"');
    expect(controller().log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
