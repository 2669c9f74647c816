import { expect, test } from 'vitest';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { mirror } from './reflectorFixture.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);

const path = (name = ''): string =>
  `/api/v1/namespaces/${namespace()}/configmaps${name === '' ? '' : `/${name}`}`;
const create = (name: string): Promise<unknown> =>
  cluster.api.must('POST', path(), { metadata: { name, labels: { mine: 'yes' } }, data: { n: '0' } });
const update = (name: string, n: number): Promise<unknown> =>
  cluster.api.must('PATCH', path(name), { data: { n: String(n) } });
const remove = (name: string): Promise<unknown> => cluster.api.must('DELETE', path(name));

const mine = (): { namespace: string; labelSelector: string } => ({
  namespace: namespace(),
  labelSelector: 'mine=yes',
});

test.each([false, true])('changes are seen in order (streaming list: %s)', async (streamingList) => {
  await create('before');
  const story = await mirror(cluster, mine(), { streamingList });
  await create('a');
  await update('a', 1);
  await update('before', 1);
  await update('a', 2);
  await remove('a');
  await create('a');
  await story.until('add a');
  expect(story.lines).toEqual([
    'add before',
    'add a',
    'update a 1',
    'update before 1',
    'update a 2',
    'delete a',
    'add a',
  ]);
  expect(story.reflector.stats).toMatchObject({ lists: 1, watches: 1, restarts: 0 });
  expect(story.faults).toEqual([]);
});

test('an object that leaves the selector is deleted here, and comes back as a new one', async () => {
  const story = await mirror(cluster, mine());
  await create('a');
  await cluster.api.must('PATCH', path('a'), { metadata: { labels: { mine: 'no' } } });
  await cluster.api.must('PATCH', path('a'), { metadata: { labels: { mine: 'yes' } } });
  await create('b');
  await story.until('add b');
  expect(story.lines).toEqual(['add a', 'delete a', 'add a', 'add b']);
});

test('pages are put together, while objects change', async () => {
  const names = Array.from({ length: 25 }, (_, i) => `web-${i}`);
  await Promise.all(names.map(create));
  const [story] = await Promise.all([
    mirror(cluster, mine(), { pageSize: 4 }),
    create('late'),
    remove('web-7'),
  ]);
  await create('last');
  await story.until('add last');
  const expected = [...names.filter((name) => name !== 'web-7'), 'late', 'last'];
  expect(
    story.reflector
      .list()
      .map(({ metadata }) => metadata.name)
      .sort(),
  ).toEqual(expected.sort());
});
