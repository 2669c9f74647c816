import { expect, test } from 'vitest';
import type { KubeObject } from '../../../api/object.ts';
import type { ListWatch } from '../../../kube/listWatch.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { mirror } from './reflectorFixture.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const never = new AbortController().signal;

/** The same, with a watch that keeps events of one object to itself. */
function forgetful(listWatch: ListWatch<KubeObject>, name: string): ListWatch<KubeObject> {
  return {
    list: (options) => listWatch.list(options),
    watch: async function* (options) {
      for await (const event of listWatch.watch(options))
        if (event.type === 'BOOKMARK' || event.object.metadata.name !== name) yield event;
    },
  };
}

test('a change that a watch of a real API server has not told of is found by a list, and told then', async () => {
  const path = `/api/v1/namespaces/${namespace()}/configmaps`;
  const create = (name: string) => cluster.api.must('POST', path, { metadata: { name }, data: { n: '0' } });
  const update = (name: string) => cluster.api.must('PATCH', `${path}/${name}`, { data: { n: '1' } });
  await create('seen');
  await create('unseen');
  const story = await mirror(cluster, { namespace: namespace() }, {}, (real) => forgetful(real, 'unseen'));
  expect(await story.reflector.verify(never)).toBe(0);

  await update('unseen');
  const check = story.reflector.verify(never);
  // Told, so that the watch is known to be as far as the list.
  await update('seen');
  expect(await check).toBe(1);
  await story.until('update unseen 1');
  expect(story.reflector.stats.lists).toBe(2);
  expect(story.faults).toEqual([]);
  expect(await story.reflector.verify(never)).toBe(0);
});
