import { describe, expect, test } from 'vitest';
import { useControlPlane } from '../../controlplane/fixture.ts';
import { mirror, useFaultyProxy, valueOf } from './reflectorFixture.ts';

// A control plane of its own: its API server is ended here.
const plane = useControlPlane({ kwok: false });

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const create = (name: string, payload = ''): Promise<unknown> =>
  plane().api.must('POST', CONFIG_MAPS, {
    metadata: { name, labels: { mine: 'yes' } },
    data: { n: '0', payload },
  });
const update = (name: string, n: number): Promise<unknown> =>
  plane().api.must('PATCH', `${CONFIG_MAPS}/${name}`, { data: { n: String(n) } });
const remove = (name: string): Promise<unknown> => plane().api.must('DELETE', `${CONFIG_MAPS}/${name}`);

const MINE = { namespace: 'default', labelSelector: 'mine=yes' };

describe('with a proxy in between', () => {
  test('that cuts each connection after some bytes, no change is missed and none is told twice', async () => {
    const proxy = await useFaultyProxy(plane().port, 30_000);
    const story = await mirror({ kubeconfigPath: plane().kubeconfigPath, server: proxy.url }, MINE);
    await create('cut', 'x'.repeat(2000));
    for (let n = 1; n <= 100; n += 1) await update('cut', n);
    await story.until('update cut 100');
    expect(story.lines).toEqual(['add cut', ...Array.from({ length: 100 }, (_, i) => `update cut ${i + 1}`)]);
    expect(story.reflector.stats.watches).toBeGreaterThan(4);
    expect(story.reflector.stats.lists).toBe(1);
    await remove('cut');
    await story.until('delete cut');
  });

  test('that lets a connection freeze, the watch is given up and goes on elsewhere', async () => {
    const proxy = await useFaultyProxy(plane().port);
    const target = { kubeconfigPath: plane().kubeconfigPath, server: proxy.url };
    const story = await mirror(target, MINE, { silenceMs: 1500 });
    await create('frozen');
    await story.until('add frozen');
    proxy.freeze();
    await update('frozen', 1);
    await story.until('update frozen 1');
    expect(story.lines).toEqual(['add frozen', 'update frozen 1']);
    expect(story.faults.map(({ error }) => (error as Error).name)).toContain('SilenceError');
    expect(story.reflector.stats.lists).toBe(1);
    await remove('frozen');
    await story.until('delete frozen');
  });
});

describe('while the API server restarts', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('after %s, nothing is missed', async (signal) => {
    const story = await mirror({ kubeconfigPath: plane().kubeconfigPath }, MINE);
    await create('kept');
    await create('gone');
    await story.until('add gone');
    await plane().stopApiServer(signal);
    await story.untilFault();
    await plane().startApiServer();
    await update('kept', 1);
    await remove('gone');
    await create('new');
    await story.until('add new');
    expect(story.lines.slice(0, 2)).toEqual(['add kept', 'add gone']);
    expect(story.lines.slice(2).sort()).toEqual(['add new', 'delete gone', 'update kept 1']);
    await remove('kept');
    await remove('new');
    await story.until('delete new');
    expect(story.reflector.list()).toEqual([]);
  });

  test('what happened unseen before a 410 is made up by a list', async () => {
    const proxy = await useFaultyProxy(plane().port);
    const story = await mirror({ kubeconfigPath: plane().kubeconfigPath, server: proxy.url }, MINE);
    for (const name of ['same', 'changed', 'again', 'gone']) await create(name);
    await story.until('add gone');
    const oldUid = story.reflector.get('default/again')?.metadata.uid;

    proxy.refusing = true;
    proxy.cut();
    await story.untilFault();
    await update('changed', 1);
    await remove('gone');
    await remove('again');
    await create('again');
    // A new API server has no history from before its start, so it cannot go on from the old version.
    await plane().stopApiServer();
    await plane().startApiServer();
    proxy.refusing = false;
    await create('new');
    await story.until('add new');

    expect(story.reflector.stats).toMatchObject({ lists: 2, expired: 1 });
    expect(story.lines.slice(4).sort()).toEqual([
      'add again',
      'add new',
      'delete again',
      'delete gone',
      'update changed 1',
    ]);
    expect(story.lines.indexOf('delete again')).toBeLessThan(story.lines.lastIndexOf('add again'));
    expect(story.reflector.get('default/again')?.metadata.uid).not.toBe(oldUid);
    expect(story.reflector.list().map(valueOf).sort()).toEqual(['0', '0', '0', '1']);
  });
});
