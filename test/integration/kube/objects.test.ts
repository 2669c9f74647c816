import { describe, expect, test } from 'vitest';
import {
  isConflict,
  isAlreadyExists,
  isForbidden,
  isNotFound,
  isUnauthorized,
} from '../../../kube/errors.ts';
import type { WatchEvent } from '../../../kube/client.ts';
import type { KubeObject } from '../../../api/object.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { configMap, errorOf, useClient } from './clientFixture.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const admin = useClient(cluster);

const at = (name: string): { namespace: string; name: string } => ({ namespace: namespace(), name });
const namesOf = (items: KubeObject[]): string[] =>
  items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');

describe('create, get, patch', () => {
  test('a name that is taken is told from a conflict', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    const { metadata } = await client.create(configMaps, configMap(namespace(), 'a', { key: 'one' }));
    expect(isAlreadyExists(await errorOf(client.create(configMaps, configMap(namespace(), 'a', {}))))).toBe(
      true,
    );
    await client.patch(configMaps, at('a'), { type: 'merge', patch: { data: { key: 'two' } } });
    const stale = { metadata: { resourceVersion: metadata.resourceVersion }, data: { key: 'three' } };
    expect(
      isConflict(await errorOf(client.patch(configMaps, at('a'), { type: 'merge', patch: stale }))),
    ).toBe(true);
    const last = await client.patch(configMaps, at('a'), {
      type: 'json',
      patch: [{ op: 'replace', path: '/data/key', value: 'four' }],
    });
    expect(last).toMatchObject({ data: { key: 'four' } });
  });

  test('a missing object is named', async () => {
    const { client, resource } = admin();
    const error = await errorOf(client.get(await resource('', 'ConfigMap'), at('none')));
    expect(isNotFound(error)).toBe(true);
    expect(error.message).toBe(
      `GET /api/v1/namespaces/${namespace()}/configmaps/none: configmaps "none" not found (404 NotFound)`,
    );
  });
});

describe('list', () => {
  test('gives pages, selects by label, and says what each item is', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const object = configMap(namespace(), name, {});
      await client.create(configMaps, {
        ...object,
        metadata: { ...object.metadata, labels: { even: String(name === 'b' || name === 'd') } },
      });
    }
    const page = await client.list(configMaps, { namespace: namespace(), limit: 2 });
    expect(page.items).toHaveLength(2);
    expect(page.continue).toBeDefined();
    expect(page.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    const all = await client.listAll(configMaps, { namespace: namespace(), limit: 2 });
    expect(namesOf(all.items)).toEqual(['a', 'b', 'c', 'd', 'e']);
    const even = await client.list(configMaps, { namespace: namespace(), labelSelector: 'even=true' });
    expect(namesOf(even.items)).toEqual(['b', 'd']);
    const one = await client.list(configMaps, { namespace: namespace(), fieldSelector: 'metadata.name=c' });
    expect(namesOf(one.items)).toEqual(['c']);
  });
});

describe('delete', () => {
  test('leaves an object of the same name that is not the one meant', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    const { metadata } = await client.create(configMaps, configMap(namespace(), 'a', {}));
    const other = '00000000-0000-0000-0000-000000000000';
    expect(isConflict(await errorOf(client.delete(configMaps, at('a'), { uid: other })))).toBe(true);
    const { uid = '', resourceVersion = '' } = metadata;
    expect(isConflict(await errorOf(client.delete(configMaps, at('a'), { uid, resourceVersion: '1' })))).toBe(
      true,
    );
    expect(await client.delete(configMaps, at('a'), { uid, resourceVersion })).toBeUndefined();
    expect(isNotFound(await errorOf(client.delete(configMaps, at('a'))))).toBe(true);
  });

  test('in a dry run is checked and changes nothing', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    const { metadata } = await client.create(configMaps, configMap(namespace(), 'a', {}));
    await client.delete(configMaps, at('a'), { dryRun: true });
    expect(await client.get(configMaps, at('a'))).toMatchObject({ metadata: { uid: metadata.uid } });
    expect(isNotFound(await errorOf(client.delete(configMaps, at('none'), { dryRun: true })))).toBe(true);
  });

  test('gives the object while something still holds it', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    const object = configMap(namespace(), 'a', {});
    await client.create(configMaps, {
      ...object,
      metadata: { ...object.metadata, finalizers: ['example.org/hold'] },
    });
    const held = await client.delete(configMaps, at('a'), { propagationPolicy: 'Foreground' });
    expect(held?.metadata.deletionTimestamp).toBeDefined();
    await client.patch(configMaps, at('a'), { type: 'merge', patch: { metadata: { finalizers: null } } });
    expect(isNotFound(await errorOf(client.get(configMaps, at('a'))))).toBe(true);
  });
});

describe('watch', () => {
  test('tells what happens, from where the list ended', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    const { resourceVersion } = await client.list(configMaps, { namespace: namespace() });
    const seen: string[] = [];
    await client.create(configMaps, configMap(namespace(), 'a', { key: 'ü' }));
    for await (const { type, object } of client.watch(configMaps, {
      namespace: namespace(),
      resourceVersion,
    })) {
      seen.push(`${type} ${object.metadata.name}`);
      if (type === 'ADDED')
        await client.patch(configMaps, at('a'), { type: 'merge', patch: { data: { key: 'é' } } });
      if (type === 'MODIFIED') await client.delete(configMaps, at('a'));
      if (type === 'DELETED') break;
    }
    expect(seen).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  test('may begin with the state, up to a bookmark', async () => {
    const { client, resource } = admin();
    const configMaps = await resource('', 'ConfigMap');
    await client.create(configMaps, configMap(namespace(), 'a', {}));
    const events: WatchEvent<KubeObject>[] = [];
    const options = {
      allowWatchBookmarks: true,
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
    } as const;
    for await (const event of client.watch(configMaps, { namespace: namespace(), ...options })) {
      events.push(event);
      if (event.type === 'BOOKMARK') break;
    }
    expect(namesOf(events.slice(0, -1).map(({ object }) => object))).toEqual(['a']);
    expect(events.at(-1)?.object.metadata.annotations).toMatchObject({ 'k8s.io/initial-events-end': 'true' });
  });

  test('ends without an error when its time is over', async () => {
    const { client, resource } = admin();
    const watch = client.watch(await resource('', 'ConfigMap'), {
      namespace: namespace(),
      resourceVersion: '',
      timeoutSeconds: 1,
    });
    const events = await Array.fromAsync(watch);
    expect(events.every(({ type }) => type === 'ADDED')).toBe(true);
  });

  test('is refused where its selector is', async () => {
    const { client, resource } = admin();
    const watch = client.watch(await resource('', 'ConfigMap'), { labelSelector: 'a in (' });
    const error = await errorOf(Array.fromAsync(watch));
    expect(error).toMatchObject({ status: 400 });
    expect([isForbidden(error), isUnauthorized(error)]).toEqual([false, false]);
  });
});
