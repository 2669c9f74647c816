import { expect, test } from 'vitest';
import { groupOf, type KubeObject } from '../../../api/object.ts';
import { immutableFields } from '../../../kube/immutable.ts';
import { crdResources } from '../../../kube/crdResources.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { isEstablished } from './boats.ts';
import { errorOf, useClient } from './clientFixture.ts';

const APPLY = { fieldManager: 'convoy', force: true };

const cluster = useCluster();
const namespace = useNamespace(cluster);
const admin = useClient(cluster);

const pods = (labels: object, more: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }], ...more },
});
const web = { app: 'web' };
const other = { app: 'other' };
const workload =
  (kind: string, more: object = {}) =>
  (labels: object) => ({
    apiVersion: 'apps/v1',
    kind,
    spec: { selector: { matchLabels: labels }, template: pods(labels), ...more },
  });
const job = (spec: object) => ({ apiVersion: 'batch/v1', kind: 'Job', spec });
const jobPod = (image: string) => ({
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] },
});
const service = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  spec: { ports: [{ port: 80, protocol: 'TCP' }], ...spec },
});
const claim = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const claims = (storage: string) => ({
  volumeClaimTemplates: [{ metadata: { name: 'data' }, ...claim({ resources: { requests: { storage } } }) }],
});
const storageClass = (spec: object) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  provisioner: 'a.example/x',
  ...spec,
});
const rbac = 'rbac.authorization.k8s.io';
const binding = (role: string) => ({
  apiVersion: `${rbac}/v1`,
  kind: 'RoleBinding',
  roleRef: { apiGroup: rbac, kind: 'Role', name: role },
});
interface Case {
  name: string;
  first: object;
  then: object;
  field: string;
}

const CASES: Case[] = [
  {
    name: 'selector of a Deployment',
    first: workload('Deployment')(web),
    then: workload('Deployment')(other),
    field: 'spec.selector',
  },
  {
    name: 'selector of a DaemonSet',
    first: workload('DaemonSet')(web),
    then: workload('DaemonSet')(other),
    field: 'spec.selector',
  },
  {
    name: 'serviceName of a StatefulSet',
    first: workload('StatefulSet', { serviceName: 'a' })(web),
    then: workload('StatefulSet', { serviceName: 'b' })(web),
    field: 'spec.serviceName',
  },
  {
    name: 'claim template of a StatefulSet',
    first: workload('StatefulSet', claims('1Gi'))(web),
    then: workload('StatefulSet', claims('2Gi'))(web),
    field: 'spec.volumeClaimTemplates',
  },
  {
    name: 'pod management of a StatefulSet',
    first: workload('StatefulSet')(web),
    then: workload('StatefulSet', { podManagementPolicy: 'Parallel' })(web),
    field: 'spec.podManagementPolicy',
  },
  {
    name: 'template of a Job',
    first: job({ template: jobPod('a') }),
    then: job({ template: jobPod('b') }),
    field: 'spec.template',
  },
  {
    name: 'completions of a Job',
    first: job({ completions: 1, template: jobPod('a') }),
    then: job({ completions: 2, template: jobPod('a') }),
    field: 'spec.completions',
  },
  {
    name: 'clusterIP of a Service',
    first: service({}),
    then: service({ clusterIP: 'None' }),
    field: 'spec.clusterIPs[0]',
  },
  {
    name: 'data of a ConfigMap marked immutable',
    first: { apiVersion: 'v1', kind: 'ConfigMap', immutable: true, data: { a: '1' } },
    then: { apiVersion: 'v1', kind: 'ConfigMap', immutable: true, data: { a: '2' } },
    field: 'data',
  },
  {
    name: 'mark of an immutable ConfigMap',
    first: { apiVersion: 'v1', kind: 'ConfigMap', immutable: true },
    then: { apiVersion: 'v1', kind: 'ConfigMap', immutable: false },
    field: 'immutable',
  },
  {
    name: 'data of a Secret marked immutable',
    first: { apiVersion: 'v1', kind: 'Secret', immutable: true, data: { a: 'MQ==' } },
    then: { apiVersion: 'v1', kind: 'Secret', immutable: true, data: { a: 'Mg==' } },
    field: 'data',
  },
  {
    name: 'type of a Secret',
    first: { apiVersion: 'v1', kind: 'Secret', type: 'a' },
    then: { apiVersion: 'v1', kind: 'Secret', type: 'b' },
    field: 'type',
  },
  {
    name: 'network of a Pod',
    first: { apiVersion: 'v1', kind: 'Pod', ...pods(web) },
    then: { apiVersion: 'v1', kind: 'Pod', ...pods(web, { hostNetwork: true }) },
    field: 'spec',
  },
  {
    name: 'access modes of a claim',
    first: claim({}),
    then: claim({ accessModes: ['ReadWriteMany'] }),
    field: 'spec',
  },
  { name: 'role of a RoleBinding', first: binding('a'), then: binding('b'), field: 'roleRef' },
  {
    name: 'provisioner of a StorageClass',
    first: storageClass({}),
    then: storageClass({ provisioner: 'b.example/x' }),
    field: 'provisioner',
  },
  {
    name: 'parameters of a StorageClass',
    first: storageClass({ parameters: { a: '1' } }),
    then: storageClass({ parameters: { a: '2' } }),
    field: 'parameters',
  },
  {
    name: 'value of a PriorityClass',
    first: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 1 },
    then: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 2 },
    field: 'value',
  },
  {
    name: 'controller of an IngressClass',
    first: { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', spec: { controller: 'a.example/x' } },
    then: { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', spec: { controller: 'b.example/x' } },
    field: 'spec.controller',
  },
  {
    name: 'handler of a RuntimeClass',
    first: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'a' },
    then: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'b' },
    field: 'handler',
  },
  {
    name: 'scopes of a ResourceQuota',
    first: { apiVersion: 'v1', kind: 'ResourceQuota', spec: { scopes: ['Terminating'] } },
    then: { apiVersion: 'v1', kind: 'ResourceQuota', spec: { scopes: ['NotTerminating'] } },
    field: 'spec.scopes',
  },
  {
    name: 'address type of an EndpointSlice',
    first: { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', endpoints: [] },
    then: { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv6', endpoints: [] },
    field: 'addressType',
  },
  {
    name: 'source of a PersistentVolume',
    first: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
    },
    then: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/b' } },
    },
    field: 'spec.persistentvolumesource',
  },
];

test.each(CASES)(
  'the API server is understood where it refuses another $name',
  async ({ first, then, field }) => {
    const { client, resource } = admin();
    const at = { name: 'web', namespace: namespace() };
    const object = (body: object) => ({ ...body, metadata: { ...at } }) as unknown as KubeObject;
    const type = await resource(groupOf(object(first).apiVersion), object(first).kind);
    await client.apply(type, object(first), APPLY);
    try {
      const error = await errorOf(client.apply(type, object(then), APPLY));
      expect(immutableFields(error)).toEqual([expect.objectContaining({ field })]);
      expect(immutableFields(error)[0]?.words).not.toContain('\n');
    } finally {
      await client.delete(type, at, {});
    }
  },
);

const GROUP = 'immutable.test.convoy.kumodo.io';
const BOAT = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
const crd = (scope: string): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `boats.${GROUP}` },
  spec: {
    group: GROUP,
    names: { kind: 'Boat', plural: 'boats' },
    scope,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { hull: BOAT } } },
      },
    ],
  },
});

test('the API server is understood where it refuses what a rule of a CRD forbids, and another scope of the CRD', async () => {
  const { client, resource } = admin();
  const crds = await resource('apiextensions.k8s.io', 'CustomResourceDefinition');
  await client.apply(crds, crd('Namespaced'), APPLY);
  try {
    await cluster.api.waitForNamed(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      `boats.${GROUP}`,
      isEstablished,
    );
    const [boats] = crdResources(crd('Namespaced'));
    if (boats === undefined) throw new Error('the CRD has a version');
    const boat = (hull: string): KubeObject => ({
      apiVersion: `${GROUP}/v1`,
      kind: 'Boat',
      metadata: { name: 'ferry', namespace: namespace() },
      hull,
    });
    await client.apply(boats, boat('oak'), APPLY);
    const ofInstance = await errorOf(client.apply(boats, boat('steel'), APPLY));
    expect(immutableFields(ofInstance)).toEqual([{ field: 'hull', words: 'failed rule: self == oldSelf' }]);
    const ofScope = await errorOf(client.apply(crds, crd('Cluster'), APPLY));
    expect(immutableFields(ofScope)).toEqual([{ field: 'spec.scope', words: 'field is immutable' }]);
  } finally {
    await client.delete(crds, { name: `boats.${GROUP}` });
  }
});
