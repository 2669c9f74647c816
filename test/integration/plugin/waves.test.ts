import { describe, expect, it } from 'vitest';
import type { ReleaseStatus } from '../../../api/release.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { applied, condition, digest, entry, health } from '../../unit/plugin/release.ts';
import { createHandmade, writeStatus } from './handmade.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const convoy = useConvoy(cluster);

const ASSESSED = { healthAssessment: {} };

/** Wave 0 was begun at this very moment, so that the time left is known to some seconds. */
function held(): ReleaseStatus {
  const now = new Date().toISOString();
  return {
    conditions: [condition('Ready', 'False', 'WaitingForWaveHealth', 'wave 1 waits for wave 0')],
    lastAttempted: { renderRef: digest('a'), at: now },
    waves: [{ ...applied(0), healthy: false, startedAt: now, completedAt: now }],
    inventory: { entries: 2, shards: 1 },
  };
}
const entries = [
  entry({ health: health('Progressing') }),
  entry({ name: 'later', wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '5m0s' }),
];

describe('kubectl convoy waves status', () => {
  it('tells what each wave of a Release waits for, and how long still', async () => {
    await createHandmade(cluster.api, {
      ...{ namespace: namespace(), name: 'shop', spec: ASSESSED, status: held(), entries },
    });
    const { stdout, stderr, code } = await convoy(['waves', 'status', 'shop', '-n', namespace()]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Release shop in \S+: not ready \(WaitingForWaveHealth, for /);
    expect(stdout).toMatch(/^0 +1 +1 +0\/1 +\d+s ago +- +applied, not all healthy$/m);
    expect(stdout).toMatch(/^1 +1 +0 +0\/1 +- +healthy, at most 5m +waits for wave 0: (4m\d+s|5m) left$/m);
  });

  it('lists all of a namespace, and those without waves in one line', async () => {
    await createHandmade(cluster.api, {
      ...{ namespace: namespace(), name: 'shop', spec: ASSESSED, status: held(), entries },
    });
    await createHandmade(cluster.api, { namespace: namespace(), name: 'fresh' });
    const { stdout } = await convoy(['waves', 'status', '-n', namespace()]);
    expect(stdout).toContain(`Release fresh in ${namespace()}: no wave is applied: no status yet`);
    expect(stdout).toContain('waits for wave 0');
    const all = await convoy(['waves', 'status', '-A', '-ojson']);
    const { items } = JSON.parse(all.stdout) as { items: { namespace: string; name: string }[] };
    expect(items.filter((item) => item.namespace === namespace()).map(({ name }) => name)).toEqual([
      'fresh',
      'shop',
    ]);
  });

  it('gives exact times to programs', async () => {
    await createHandmade(cluster.api, {
      ...{ namespace: namespace(), name: 'shop', spec: ASSESSED, status: held(), entries },
    });
    const { stdout } = await convoy(['waves', 'status', 'shop', '-n', namespace(), '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'shop',
      waves: [
        { number: 0, healthy: false },
        {
          number: 1,
          state: 'waits',
          gate: { afterWave: 0, limit: '5m0s' },
          until: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        },
      ],
    });
  });

  it('stays with --watch, a line for each change where nobody looks on', async () => {
    const shop = await createHandmade(cluster.api, {
      ...{ namespace: namespace(), name: 'shop', spec: ASSESSED, status: held(), entries },
    });
    const watch = convoy.start(['waves', 'status', 'shop', '-n', namespace(), '--watch']);
    expect(await watch.says('wave 1: waits for wave 0 until ')).toContain(
      `${namespace()}/shop wave 0: 0 of 1 healthy\n`,
    );
    await writeStatus(cluster.api, shop, { waves: [applied(0), applied(1)] });
    await watch.says('wave 1: 0 of 1 healthy');
    watch.interrupt();
    expect(await watch.ended).toMatchObject({ code: 130, stderr: '' });
  });

  it('ends with the Release that it watches', async () => {
    await createHandmade(cluster.api, {
      ...{ namespace: namespace(), name: 'shop', spec: ASSESSED, status: held(), entries },
    });
    const watch = convoy.start(['waves', 'status', 'shop', '-n', namespace(), '-w']);
    await watch.says('wave 1: waits');
    await cluster.kubectl('-n', namespace(), 'delete', 'releases.core.convoy.kumodo.io', 'shop');
    const { code, stdout } = await watch.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('/shop wave 1: gone');
  });

  it('says that there is none', async () => {
    expect(await convoy(['waves', 'status', '-n', namespace()])).toEqual({
      code: 0,
      stdout: '',
      stderr: `No Releases found in namespace ${namespace()}.\n`,
    });
    expect(await convoy(['waves', 'status', 'nope', '-n', namespace()])).toMatchObject({
      code: 1,
      stdout: '',
    });
  });

  it.each([[['-A', 'shop']], [['-o', 'name']], [['-w', '-o', 'json']]])(
    'ends with 2 for %j',
    async (args) => {
      expect(await convoy(['waves', 'status', ...args])).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
