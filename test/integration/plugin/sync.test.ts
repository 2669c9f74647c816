import { describe, expect, it } from 'vitest';
import { SYNC } from '../../../api/annotations.ts';
import { RESOURCES } from '../../../api/group.ts';
import type { Release, ReleaseStatus } from '../../../api/release.ts';
import { parseSyncRequest, type SyncRequest } from '../../../api/syncRequest.ts';
import { resourcePath } from '../../../kube/resource.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { applied, before, condition, digest } from '../../unit/plugin/release.ts';
import { createHandmade, writeStatus } from './handmade.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const convoy = useConvoy(cluster);

const READY: ReleaseStatus = {
  conditions: [condition('Ready', 'True', 'Applied', '2 objects in 1 wave applied')],
  lastAttempted: { renderRef: digest('a'), at: before(100) },
  waves: [applied(0, { resources: 2 })],
};
const path = () => resourcePath(RESOURCES.Release, namespace(), 'shop');
const sync = (...flags: string[]) => ['release', 'sync', 'shop', '-n', namespace(), ...flags];

async function request(): Promise<SyncRequest> {
  const release = (await cluster.api.must('GET', path())) as unknown as Release;
  const parsed = parseSyncRequest(release.metadata.annotations?.[SYNC] ?? '');
  if ('invalid' in parsed) throw new Error(parsed.invalid);
  return parsed;
}

/** What the controller writes when it has taken the request. */
function took(id: string, result?: string, status: ReleaseStatus = READY): ReleaseStatus {
  const entry = {
    id,
    force: false,
    at: new Date().toISOString(),
    ...(result === undefined ? {} : { result }),
  };
  return { ...status, sync: { recent: [entry] } };
}

async function create(status: ReleaseStatus = READY): Promise<Release> {
  return await createHandmade(cluster.api, {
    ...{ namespace: namespace(), name: 'shop', spec: { suspend: false }, status },
  });
}

describe('kubectl convoy release sync', () => {
  it('asks once, and joins what is asked for already', async () => {
    await create();
    const first = await convoy(sync());
    const { id, force } = await request();
    expect(first).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: `sync of shop in ${namespace()} asked for: request ${id}\n`,
    });
    expect(force).toBe(false);
    const second = await convoy(sync('-o', 'json'));
    expect(JSON.parse(second.stdout)).toMatchObject({ name: 'shop', id, joined: true, force: false });
    expect((await request()).id).toBe(id);
  });

  it('replaces a weaker request, and names it', async () => {
    await create();
    await convoy(sync());
    const { id } = await request();
    const { stdout } = await convoy(sync('--force'));
    const forced = await request();
    expect(forced).toMatchObject({ force: true, supersedes: [id] });
    expect(stdout).toBe(
      `forced sync of shop in ${namespace()} asked for: request ${forced.id}\nIt replaces request ${id}, which was weaker.\n`,
    );
    const { stdout: joined } = await convoy(sync());
    expect(joined).toContain(`asked for already: request ${forced.id}`);
  });

  it('loses no request when many ask at once', async () => {
    await create();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        convoy(sync('-o', 'json', ...(index % 2 === 0 ? ['--force'] : []))),
      ),
    );
    const ids = answers.map(({ stdout }) => (JSON.parse(stdout) as { id: string }).id);
    const { id, force, supersedes } = await request();
    expect(force).toBe(true);
    for (const asked of ids) expect([id, ...supersedes]).toContain(asked);
  });

  it('says that a suspended Release will not take it up', async () => {
    await createHandmade(cluster.api, { namespace: namespace(), name: 'shop', status: READY });
    expect((await convoy(sync())).stdout).toContain('The Release is suspended');
  });

  it('follows it to its end, in lines where nobody looks on', async () => {
    const release = await create();
    const following = convoy.start(sync('--wait'));
    await following.says('sync: waits for the controller to take it');
    const { id } = await request();
    const held: ReleaseStatus = {
      conditions: [condition('Ready', 'False', 'WaitingForWaveHealth', 'wave 1 waits for wave 0')],
    };
    await writeStatus(cluster.api, release, took(id, undefined, held));
    await following.says('release: WaitingForWaveHealth: wave 1 waits for wave 0');
    await writeStatus(cluster.api, release, took(id, 'Applied'));
    const { code, stdout, stderr } = await following.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /sync: is done.*\n(.*\n)*Release shop is synced: 2 objects in 1 wave, after \d+s\n$/,
    );
    expect(stdout).not.toContain('\u001b');
  });

  it('ends with 1 where it fails, and says why and what to do', async () => {
    const release = await create();
    const following = convoy.start(sync('--wait', '--force'));
    await following.says('sync: waits');
    const message = 'the API server refuses ConfigMap shop';
    const status = { conditions: [condition('Ready', 'False', 'DryRunFailed', message)] };
    await writeStatus(cluster.api, release, took((await request()).id, `DryRunFailed: ${message}`, status));
    const { code, stderr } = await following.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: the sync of shop in \S+ has failed\n {2}why: DryRunFailed: the API server refuses/,
    );
    expect(stderr).toContain('kubectl convoy release why shop');
  });

  it('ends with 124 where it takes too long', async () => {
    await create();
    const { code, stderr } = await convoy(sync('--wait', '--timeout', '500ms'));
    expect(code).toBe(124);
    expect(stderr).toContain('was not done within 500ms');
  });

  it('ends with 130 at Ctrl-C, and takes nothing back', async () => {
    await create();
    const following = convoy.start(sync('--wait'));
    await following.says('sync: waits');
    following.interrupt();
    expect(await following.ended).toMatchObject({
      code: 130,
      stderr: 'The sync goes on without this command.\n',
    });
    await request();
  });

  it('ends with 1 for one that is not there, and where it may not be asked for', async () => {
    expect(await convoy(sync())).toMatchObject({ code: 1, stdout: '' });
    await create();
    const refused = await convoy([...sync('--as', 'nobody'), '--as-group', 'system:authenticated']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('cannot get resource "releases"');
  });

  it.each([[['--timeout', '5m']], [['--wait', '--timeout', '0']], [['-o', 'wide']]])(
    'ends with 2 for %j',
    async (flags) => {
      expect(await convoy(sync(...flags))).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
