import { expect, test } from 'vitest';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { documents, useReleases } from './fixture.ts';

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
