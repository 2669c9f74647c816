import { expect, test } from 'vitest';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, sourceOf } from '../../support/wavedObjects.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();
/** More than a status can name. */
const MANY = 600;

function many(name: (index: number) => string): string {
  return sourceOf(...Array.from({ length: MANY }, (_, index) => configMapIn({ wave: 0 }, name(index))));
}

test('a failure that names very many objects is cut, and still told', async () => {
  const namespace = `n${'x'.repeat(40)}`;
  const home = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, annotations: { 'convoy.kumodo.io/sync-wave': '1' } },
  };
  const source = `${sourceOf(home)}---\n${many((index) => `${'c'.repeat(60)}-${index}`)}`;
  await releases.create({ source: { inline: source }, targetNamespace: namespace });
  const refused = await releases.ready('OrderInvalid');
  expect(refused.status?.lastAttempted?.failure).toMatchObject({ stage: 'Order' });
  expect(readyMessage(refused)).toContain('(cut)');
});

test('a sync request by somebody with a very long name is taken', async () => {
  await releases.create(
    { source: { inline: sourceOf(configMapIn({ wave: 0 }, 'web')) } },
    {
      annotations: {
        'convoy.kumodo.io/sync': JSON.stringify({ id: 'one' }),
        'convoy.kumodo.io/sync-requested-by': 'x'.repeat(5_000),
      },
    },
  );
  const done = await releases.ready('Applied');
  expect(done.status?.sync?.recent?.[0]).toMatchObject({ id: 'one', result: 'Applied' });
});
