import { beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../api/object.ts';
import { KubeClient } from '../../../kube/client.ts';
import { connect, loadConfig } from '../../../kube/config.ts';
import { crdResources } from '../../../kube/crdResources.ts';
import { Discovery, DiscoveryIncomplete } from '../../../kube/discovery.ts';
import type { Transport } from '../../../kube/transport.ts';
import { kubectl, useControlPlane } from '../../controlplane/fixture.ts';
import { boatCrd } from './boats.ts';
import { errorOf, USER_AGENT } from './clientFixture.ts';

// An unavailable APIService would disturb every other test of a shared cluster.
const plane = useControlPlane({ kwok: false });

const APPLY = { fieldManager: 'convoy' };

interface Setup {
  transport: Transport;
  client: KubeClient;
  discovery: Discovery;
  paths: string[];
}

let setup: Setup;

beforeEach(async () => {
  const transport = connect(await loadConfig({ kubeconfig: plane().kubeconfigPath }), USER_AGENT);
  const paths: string[] = [];
  const counted: Transport = {
    ...transport,
    request(request) {
      paths.push(request.path);
      return transport.request(request);
    },
  };
  setup = {
    transport,
    client: new KubeClient(transport),
    discovery: new Discovery(counted, { missIntervalMs: 0 }),
    paths,
  };
  return () => transport.close();
});

async function apply(group: string, kind: string, object: KubeObject): Promise<void> {
  const resource = await setup.discovery.resourceFor(group, kind);
  if (resource === undefined) throw new Error(`no ${kind}`);
  await setup.client.apply(resource, object, APPLY);
}

describe('discovery', () => {
  test('learns in two requests what kubectl lists', async () => {
    const { resources, incomplete } = await setup.discovery.all();
    expect(setup.paths.sort()).toEqual(['/api', '/apis']);
    expect(incomplete).toEqual([]);
    const output = await kubectl(plane().binDir, plane().kubeconfigPath, [
      'api-resources',
      '--no-headers',
      '-o',
      'name',
    ]);
    const listed = output.trim().split('\n').sort();
    const ours = new Set(
      resources.map(({ group, plural }) => (group === '' ? plural : `${plural}.${group}`)),
    );
    expect([...ours].sort()).toEqual(listed);
    expect(await setup.discovery.resourceFor('', 'Binding')).toMatchObject({ verbs: ['create'] });
    expect(await setup.discovery.resourceFor('autoscaling', 'Scale')).toBeUndefined();
    expect(await setup.discovery.resourceFor('autoscaling', 'HorizontalPodAutoscaler')).toMatchObject({
      version: 'v2',
    });
    expect(await setup.discovery.resourceFor('autoscaling', 'HorizontalPodAutoscaler', 'v1')).toMatchObject({
      version: 'v1',
    });
  });

  test('says of a CRD what the API server says once it serves it', async () => {
    const crd = boatCrd('discovery.test.convoy.kumodo.io');
    await apply('apiextensions.k8s.io', 'CustomResourceDefinition', crd);
    const expected = crdResources(crd);
    for (const resource of expected) setup.discovery.register(resource);
    expect(await setup.discovery.resourceFor('discovery.test.convoy.kumodo.io', 'Boat')).toEqual(expected[0]);
    const fresh = new Discovery(setup.transport, { missIntervalMs: 0 });
    const served = await expect
      .poll(() => fresh.resourceFor('discovery.test.convoy.kumodo.io', 'Boat'), { timeout: 20_000 })
      .toBeDefined()
      .then(() => fresh.all());
    const sorted = (verbs: string[]): string[] => [...verbs].sort();
    const found = served.resources.filter(({ group }) => group === 'discovery.test.convoy.kumodo.io');
    expect(found.map((resource) => ({ ...resource, verbs: sorted(resource.verbs) }))).toEqual(
      expected.map((resource) => ({ ...resource, verbs: sorted(resource.verbs) })),
    );
  });

  test('does not take a group whose server is away for absent', async () => {
    await apply('', 'Namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'away' } });
    await apply('', 'Service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'metrics', namespace: 'away' },
      spec: { ports: [{ port: 443 }] },
    });
    await apply('apiregistration.k8s.io', 'APIService', {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta1.away.example.org' },
      spec: {
        group: 'away.example.org',
        version: 'v1beta1',
        service: { name: 'metrics', namespace: 'away' },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    });
    await expect
      .poll(
        async () =>
          (await errorOrNone(setup.discovery.resourceFor('away.example.org', 'Thing'))) instanceof
          DiscoveryIncomplete,
        { timeout: 20_000 },
      )
      .toBe(true);
    const error = await errorOf(setup.discovery.resourceFor('away.example.org', 'Thing'));
    expect(error).toMatchObject({ group: 'away.example.org' });
    expect(await setup.discovery.resourceFor('apps', 'Deployment')).toMatchObject({ plural: 'deployments' });
    expect(await setup.discovery.resourceFor('nobody.example.org', 'Thing')).toBeUndefined();
    expect((await setup.discovery.all()).incomplete).toEqual(['away.example.org']);
  });
});

async function errorOrNone(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
