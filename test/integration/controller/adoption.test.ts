import { afterEach, describe, expect, test } from 'vitest';
import type { Release } from '../../../api/release.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { isEstablished } from '../kube/boats.ts';
import { documents, NAME, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const releases = useReleases();

test('an object that another Release applied is not taken: both are named, and nothing is applied', async () => {
  await releases.create({ source: { inline: configMapYaml('shared', { by: 'first' }) } }, { name: 'first' });
  await releases.ready('Applied', 'first');

  const second = documents(configMapYaml('shared', { by: 'second' }), configMapYaml('own'));
  await releases.create({ source: { inline: second } }, { name: 'second' });
  const refused = await releases.ready('OwnershipConflict', 'second');

  expect(readyMessage(refused)).toContain(`ConfigMap shared in ${releases.namespace}`);
  expect(readyMessage(refused)).toContain(`first in ${releases.namespace}`);
  expect((await releases.find('configmaps/shared'))?.['data']).toEqual({ by: 'first' });
  expect(await releases.find('configmaps/own')).toBeUndefined();
});

test('once the other Release is gone, the conflict ends by itself', async () => {
  await releases.create({ source: { inline: configMapYaml('shared', { by: 'first' }) } }, { name: 'first' });
  await releases.ready('Applied', 'first');
  await releases.create(
    { source: { inline: configMapYaml('shared', { by: 'second' }) } },
    { name: 'second' },
  );
  await releases.ready('OwnershipConflict', 'second');

  await releases.cluster.kubectl('delete', 'release', 'first', '-n', releases.namespace);
  await releases.ready('Applied', 'second');
  expect((await releases.find('configmaps/shared'))?.['data']).toEqual({ by: 'second' });
});

test('an object that nobody owns is adopted, and a label alone is no ownership', async () => {
  await releases.createConfigMap('plain', { data: { by: 'hand' } });
  await releases.createConfigMap(
    'labelled',
    { data: { by: 'hand' } },
    { 'convoy.kumodo.io/release': 'nobody' },
  );
  await releases.create({
    source: {
      inline: documents(configMapYaml('plain', { by: 'app' }), configMapYaml('labelled', { by: 'app' })),
    },
  });
  await releases.ready('Applied');
  expect((await releases.find('configmaps/plain'))?.['data']).toEqual({ by: 'app' });
  expect((await releases.find('configmaps/labelled'))?.['data']).toEqual({ by: 'app' });
});

const policy = (name: string, value: string): string =>
  `${name}, annotations: {convoy.kumodo.io/adoption-policy: ${value}}`;

async function shared(release: string, value?: string): Promise<void> {
  const name = value === undefined ? 'shared' : policy('shared', value);
  await releases.create({ source: { inline: configMapYaml(name, { by: release }) } }, { name: release });
}

/** Whether a sync request has come to an end. */
const handled =
  (request: string) =>
  ({ status }: Release): boolean =>
    status?.sync?.recent?.some(({ id, result }) => id === request && result !== undefined) === true;

async function dataOf(name: string): Promise<unknown> {
  return (await releases.find(`configmaps/${name}`))?.['data'];
}

describe('adoption-policy Never', () => {
  test('refuses an object that exists, and applies nothing, until it is gone', async () => {
    await releases.createConfigMap('shared', { data: { by: 'hand' } });
    const source = documents(configMapYaml(policy('shared', 'Never'), { by: 'app' }), configMapYaml('own'));
    await releases.create({ source: { inline: source } });
    const message = readyMessage(await releases.ready('OwnershipConflict'));
    expect(message).toContain(`ConfigMap shared in ${releases.namespace} exists already`);
    expect(message).toContain('delete it');
    expect(await dataOf('shared')).toEqual({ by: 'hand' });
    expect(await releases.find('configmaps/own')).toBeUndefined();

    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${releases.namespace}/configmaps/shared`);
    await releases.ready('Applied');
    expect(await dataOf('shared')).toEqual({ by: 'app' });
  });

  test('lets a Release update what it has created itself', async () => {
    await shared(NAME, 'Never');
    await releases.ready('Applied');
    await releases.inline(configMapYaml(policy('shared', 'Never'), { by: 'update' }));
    await releases.ready('Applied');
    expect(await dataOf('shared')).toEqual({ by: 'update' });
  });

  test('holds for a forced sync too', async () => {
    await releases.createConfigMap('shared', { data: { by: 'hand' } });
    await shared(NAME, 'Never');
    await releases.ready('OwnershipConflict');
    await releases.patch({
      metadata: { annotations: { 'convoy.kumodo.io/sync': JSON.stringify({ id: 'now', force: true }) } },
    });
    await releases.until(handled('now'));
    await releases.ready('OwnershipConflict');
    expect(await dataOf('shared')).toEqual({ by: 'hand' });
  });
});

describe('adoption-policy Always', () => {
  test('takes what another Release has applied, which then says so and lets it be', async () => {
    await shared('first');
    await releases.ready('Applied', 'first');
    await shared('second', 'Always');
    await releases.ready('Applied', 'second');
    const message = readyMessage(await releases.ready('OwnershipConflict', 'first'));
    expect(message).toContain(`ConfigMap shared in ${releases.namespace} belongs to the Release second`);
    expect(await dataOf('shared')).toEqual({ by: 'second' });

    const sync = JSON.stringify({ id: 'again' });
    await releases.patch({ metadata: { annotations: { 'convoy.kumodo.io/sync': sync } } }, 'second');
    await releases.until(handled('again'), 'second');
    await releases.ready('Applied', 'second');
    expect(await dataOf('shared')).toEqual({ by: 'second' });
  });

  test('is no licence to take it back: the Release that has lost it waits, and has it again when the other is gone', async () => {
    await shared('first', 'Always');
    await releases.ready('Applied', 'first');
    await shared('second', 'Always');
    await releases.ready('OwnershipConflict', 'first');
    await releases.ready('Applied', 'second');
    await releases.cluster.kubectl('delete', 'release', 'second', '-n', releases.namespace, '--timeout=30s');
    await releases.ready('Applied', 'first');
    expect(await dataOf('shared')).toEqual({ by: 'first' });
  });

  test('leaves the object where it is when the Release that has lost it goes, or no longer has it', async () => {
    await shared('first');
    await releases.ready('Applied', 'first');
    await shared('second', 'Always');
    await releases.ready('OwnershipConflict', 'first');
    await releases.patch(
      { spec: { source: { inline: configMapYaml('own') }, syncPolicy: { prune: { orphaned: true } } } },
      'first',
    );
    await releases.ready('Applied', 'first');
    const left = await releases.get('first');
    expect(left.status?.inventory?.entries).toBe(1);
    expect(await dataOf('shared')).toEqual({ by: 'second' });
  });
});

describe('an instance of a type that the render brings', () => {
  const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  let made: string | undefined;
  afterEach(async () => {
    if (made !== undefined) await releases.cluster.api.must('DELETE', `${CRDS}/${made}`);
    made = undefined;
  });

  test('is not taken from another Release where the type is there already', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    made = `boats.${group}`;
    await releases.create({ source: { inline: boatCrdYaml(group) } }, { name: 'types' });
    await releases.ready('Applied', 'types');
    await releases.cluster.api.waitForNamed(CRDS, made, isEstablished);
    await releases.create({ source: { inline: boatYaml(group, 'ferry') } }, { name: 'first' });
    await releases.ready('Applied', 'first');

    const crd = boatCrdYaml(group).replace(`boats.${group}`, policy(`boats.${group}`, 'Always'));
    await releases.create(
      { source: { inline: documents(crd, boatYaml(group, 'ferry', '{masts: 2}')) } },
      { name: 'second' },
    );
    const message = readyMessage(await releases.ready('OwnershipConflict', 'second'));
    expect(message).toContain(`${group}/Boat ferry in ${releases.namespace} belongs to the Release first`);
    expect((await releases.find('boats/ferry', `/apis/${group}/v1`))?.['spec']).toEqual({ masts: 1 });
  });
});

test('of two Releases that create one object in the same instant one has it, and the other says so', async () => {
  await Promise.all([shared('first'), shared('second')]);
  const reasons = async (): Promise<string[]> => {
    const found = await Promise.all([releases.get('first'), releases.get('second')]);
    return found.map(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready')?.reason ?? '');
  };
  await Promise.race([
    releases.ready('OwnershipConflict', 'first'),
    releases.ready('OwnershipConflict', 'second'),
  ]);
  const owner = (await reasons())[0] === 'OwnershipConflict' ? 'second' : 'first';
  await releases.ready('Applied', owner);
  expect((await reasons()).sort()).toEqual(['Applied', 'OwnershipConflict']);
  expect(await dataOf('shared')).toEqual({ by: owner });
});
