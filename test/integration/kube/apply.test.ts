import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../api/object.ts';
import { crdResources } from '../../../kube/crdResources.ts';
import {
  ApiError,
  isConflict,
  isInvalid,
  isNotFound,
  isRetryable,
  isTypedPatchError,
} from '../../../kube/errors.ts';
import type { ApiResource } from '../../../kube/resource.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { boatCrd, isEstablished } from './boats.ts';
import { configMap, errorOf, useClient } from './clientFixture.ts';

const GROUP = 'apply.test.convoy.kumodo.io';
const APPLY = { fieldManager: 'convoy' };

const cluster = useCluster();
const namespace = useNamespace(cluster);
const admin = useClient(cluster);

let boats: ApiResource;
let betaBoats: ApiResource;

beforeAll(async () => {
  const { client, resource } = admin();
  const crd = boatCrd(GROUP);
  await client.apply(await resource('apiextensions.k8s.io', 'CustomResourceDefinition'), crd, APPLY);
  await cluster.api.waitForNamed(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    crd.metadata.name,
    isEstablished,
  );
  const [stable, beta] = crdResources(crd);
  if (stable === undefined || beta === undefined) throw new Error('the CRD has two versions');
  [boats, betaBoats] = [stable, beta];
});

afterAll(() =>
  cluster.api.must('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${GROUP}`),
);

const boat = (spec: Record<string, unknown>): KubeObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Boat',
  metadata: { name: 'titanic', namespace: namespace() },
  spec,
});

const deployment = (spec: Record<string, unknown>, labels = { app: 'web' }): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: namespace() },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.org/web' }] } },
    ...spec,
  },
});

describe('apply', () => {
  test('tells a new object from an existing one, in a dry run too, which changes nothing', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    const object = configMap(namespace(), 'a', { key: 'one' });
    expect(await client.apply(configMaps, object, { ...APPLY, dryRun: true })).toMatchObject({
      created: true,
    });
    expect(isNotFound(await errorOf(client.get(configMaps, { namespace: namespace(), name: 'a' })))).toBe(
      true,
    );
    expect(await client.apply(configMaps, object, APPLY)).toMatchObject({ created: true });
    const changed = configMap(namespace(), 'a', { key: 'two' });
    expect(await client.apply(configMaps, changed, { ...APPLY, dryRun: true })).toMatchObject({
      created: false,
      object: { data: { key: 'two' } },
    });
    expect(await client.get(configMaps, { namespace: namespace(), name: 'a' })).toMatchObject({
      data: { key: 'one' },
    });
  });

  test.each([{ strict: true }, { strict: false }])(
    'refuses a field that the schema does not have, with its path: $strict',
    async ({ strict }) => {
      const { client, resource } = admin();
      const deployments = await resource('apps', 'Deployment');
      const misspelt: [ApiResource, KubeObject, string][] = [
        [deployments, deployment({ replicsa: 1 }), '.spec.replicsa'],
        [boats, boat({ decs: 3 }), '.spec.decs'],
      ];
      for (const [type, object, path] of misspelt) {
        for (const dryRun of [true, false]) {
          const error = await errorOf(client.apply(type, object, { ...APPLY, strict, dryRun }));
          expect(isTypedPatchError(error)).toBe(true);
          expect(String(error)).toContain(`${path}: field not declared in schema`);
        }
      }
    },
  );

  test("conflicts over another manager's fields, and takes them by force", async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    await client.apply(configMaps, configMap(namespace(), 'a', { key: 'theirs' }), { fieldManager: 'other' });
    const ours = configMap(namespace(), 'a', { key: 'ours' });
    const error = await errorOf(client.apply(configMaps, ours, APPLY));
    expect(isConflict(error)).toBe(true);
    expect(error).toMatchObject({
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.key' }] },
    });
    expect(await client.apply(configMaps, ours, { ...APPLY, force: true })).toMatchObject({
      object: { data: { key: 'ours' } },
    });
  });

  test('with the uid of an object that is gone does not make it again', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    const object = configMap(namespace(), 'a', {});
    const { uid = '' } = (await client.apply(configMaps, object, APPLY)).object.metadata;
    await client.delete(configMaps, { namespace: namespace(), name: 'a' });
    const again = { ...object, metadata: { ...object.metadata, uid } };
    expect(isConflict(await errorOf(client.apply(configMaps, again, APPLY)))).toBe(true);
    expect(isNotFound(await errorOf(client.get(configMaps, { namespace: namespace(), name: 'a' })))).toBe(
      true,
    );
  });

  test('writes the status alone where that is asked for', async () => {
    const { client } = admin();
    await client.apply(boats, boat({ tonnage: 1 }), APPLY);
    const withStatus = { ...boat({ tonnage: 2 }), status: { phase: 'Afloat' } };
    const { object } = await client.apply(boats, withStatus, {
      fieldManager: 'convoy-status',
      subresource: 'status',
    });
    expect(object).toMatchObject({ spec: { tonnage: 1 }, status: { phase: 'Afloat' } });
  });

  test('names the immutable field', async () => {
    const { client, resource } = admin();
    const deployments = await resource('apps', 'Deployment');
    await client.apply(deployments, deployment({}), APPLY);
    const error = await errorOf(client.apply(deployments, deployment({}, { app: 'other' }), APPLY));
    expect(isInvalid(error)).toBe(true);
    expect(error).toMatchObject({ details: { causes: [{ field: 'spec.selector' }] } });
    expect(error.message).toContain('field is immutable');
  });
});

describe('a misspelt or mistyped field', () => {
  test.each([
    ['misspelt', { replica: 3 }, '.spec.replica: field not declared in schema'],
    ['mistyped', { replicas: 'three' }, '.spec.replicas: expected numeric'],
  ])('%s: a final error that names it, though the server says 500', async (_, spec, message) => {
    const { client, resource } = admin();
    const error = await errorOf(client.apply(await resource('apps', 'Deployment'), deployment(spec), APPLY));
    expect(error).toMatchObject({ status: 500 });
    expect(error.message).toContain(message);
    expect(isTypedPatchError(error)).toBe(true);
    expect(isRetryable(error)).toBe(false);
  });

  test('of a custom resource is a final error that names it', async () => {
    const error = await errorOf(admin().client.apply(boats, boat({ tonage: 3 }), APPLY));
    expect(error.message).toContain('.spec.tonage');
    expect(isRetryable(error)).toBe(false);
  });

  test('is refused on create and on patch', async () => {
    const { client, resource } = admin();
    const deployments = await resource('apps', 'Deployment');
    const created = await errorOf(client.create(deployments, deployment({ replica: 3 })));
    expect(created).toMatchObject({ status: 400 });
    expect(created.message).toContain('unknown field "spec.replica"');
    await client.create(deployments, deployment({}));
    const at = { namespace: namespace(), name: 'web' };
    const patched = await errorOf(
      client.patch(deployments, at, { type: 'merge', patch: { spec: { replica: 3 } } }),
    );
    expect(patched.message).toContain('unknown field "spec.replica"');
  });

  test('given twice in ready JSON text is refused', async () => {
    const { client, resource } = admin();
    const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"}}`;
    const object = configMap(namespace(), 'a', {});
    const error = await errorOf(client.apply(await resource('', 'ConfigMap'), object, { ...APPLY, body }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400 });
    expect(error.message).toContain('"k" already set');
  });
});

describe('plain JSON', () => {
  test('keeps fields that no model knows', async () => {
    const { client } = admin();
    const cargo = { crates: [{ 'odd key/1': null, deep: { er: [1.5, true, 'ü'] } }], status: 'sealed' };
    await client.create(boats, boat({ cargo }));
    const read = await client.get(boats, { namespace: namespace(), name: 'titanic' });
    expect(read['spec']).toEqual({ cargo });
    delete (read.metadata as { managedFields?: unknown }).managedFields;
    await client.apply(
      boats,
      { ...read, metadata: { ...read.metadata, labels: { seen: 'yes' } } },
      { ...APPLY, force: true },
    );
    const after = await client.get(boats, { namespace: namespace(), name: 'titanic' });
    expect(after['spec']).toEqual({ cargo });
    expect(after.metadata.labels).toEqual({ seen: 'yes' });
  });

  test('carries integers beyond 2^53 in ready text', async () => {
    const object = boat({});
    const body = JSON.stringify({ ...object, spec: { tonnage: 'HERE' } }).replace(
      '"HERE"',
      '9007199254740993',
    );
    await admin().client.apply(boats, object, { ...APPLY, body });
    const path = ['-n', namespace(), 'get', `boats.v1.${GROUP}`, 'titanic', '-o', 'json'];
    expect(await cluster.kubectl(...path)).toContain('"tonnage": 9007199254740993');
  });

  test("hands the API server's warnings on", async () => {
    const { client, warnings } = admin();
    const old = { ...boat({ tonnage: 1 }), apiVersion: `${GROUP}/v1beta1` };
    await client.apply(betaBoats, old, APPLY);
    expect(warnings).toEqual([`${GROUP}/v1beta1 Boat is deprecated; use ${GROUP}/v1 Boat`]);
  });
});
