import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FINALIZER } from '../../../api/annotations.ts';
import { API_VERSION } from '../../../api/group.ts';
import type { ReleaseSpec } from '../../../api/release.ts';
import { holdsRelease } from '../../../engine/shards/shard.ts';
import { installCrds } from '../../controlplane/crds.ts';
import { useControlPlane } from '../../controlplane/fixture.ts';
import { isByConvoy, writesOfConvoy } from '../../support/auditOrder.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import {
  configMapYaml,
  createRelease,
  patchRelease,
  releasesPath,
  waitForReady,
} from '../../support/releases.ts';

const COUNT = 2;
const INDEXES = [0, 1];
const WAVES = [0, 1];
/** Which shard has which depends on the names; undefined is the controllers' own cluster. */
const CLUSTERS = ['one', 'two', 'three', 'five', undefined];
/** By a kubeconfig, where the shards are one user; the others are the controllers' own cluster by another name. */
const REMOTE = new Set<string | undefined>(['one', 'two']);
const NAMESPACE = 'sharded';
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const RULE_SETS = `/apis/${API_VERSION}/globalhealthrulesets`;

interface Placed {
  name: string;
  cluster: string | undefined;
  spec: ReleaseSpec;
  shard: number;
}

/** A Release of each wave on each Cluster, with an object of its name. */
const RELEASES: readonly Placed[] = CLUSTERS.flatMap((cluster) =>
  WAVES.map((wave) => {
    const name = `${cluster ?? 'home'}-${wave}`;
    const spec: ReleaseSpec = {
      source: { inline: configMapYaml(name) },
      ...(cluster === undefined ? {} : { clusterRef: { name: cluster } }),
      syncPolicy: { waveStrategy: { wave, strategy: 'waitForApplied' } },
    };
    const metadata = { namespace: NAMESPACE, name };
    const shard = INDEXES.findIndex((index) => holdsRelease({ index, count: COUNT }, { metadata, spec }));
    return { name, cluster, spec, shard };
  }),
);

const plane = useControlPlane({ audit: true, kwok: false });
const shards = new Map<number, ControllerProcess>();

const userOf = (index: number): string => `shard-${index}`;
/** Also where a Lease of one that was killed has to run out first. */
const ready = (name: string) => waitForReady(plane().api, { namespace: NAMESPACE, name }, 'Applied', 50_000);

async function start(index: number): Promise<void> {
  const kubeconfig = await plane().kubeconfigFor(userOf(index), ['system:masters']);
  const own = [`--shard-count=${COUNT}`, `--shard-index=${index}`];
  const flags = [...own, '--leader-elect', '--allow-loopback-clusters'];
  shards.set(index, await ControllerProcess.start(kubeconfig, flags));
}

/** Clusters that all lead to the plane itself, some of them by one Secret. */
async function createClusters(): Promise<void> {
  const value = (await readFile(plane().kubeconfigPath)).toString('base64');
  await plane().api.must('POST', SECRETS, { metadata: { name: 'kubeconfig' }, data: { value } });
  for (const name of CLUSTERS.filter((cluster) => cluster !== undefined)) {
    const spec = REMOTE.has(name) ? { kubeconfig: { secretRef: { name: 'kubeconfig' } } } : {};
    const body = { apiVersion: API_VERSION, kind: 'Cluster', metadata: { name }, spec };
    await plane().api.must('POST', `/apis/${API_VERSION}/namespaces/${NAMESPACE}/clusters`, body);
  }
}

beforeAll(async () => {
  await installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath);
  await plane().api.must('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  for (const index of INDEXES) await start(index);
  await createClusters();
  for (const { name, spec } of RELEASES)
    await createRelease(plane().api, { namespace: NAMESPACE, name, spec });
  await Promise.all(RELEASES.map(({ name }) => ready(name)));
});

afterAll(async () => {
  for (const shard of shards.values()) await shard.kill();
});

/** Which shards wrote an object of this resource and name. */
async function writersOf(resource: string, name: string): Promise<string[]> {
  const writers = (await plane().auditEvents())
    .filter((event) => isByConvoy(event) && !['get', 'list', 'watch'].includes(event.verb))
    .filter(({ objectRef }) => objectRef?.resource === resource && objectRef.name === name)
    .map(({ user }) => user.username);
  return [...new Set(writers)];
}

test('each shard has some of the Releases', () => {
  expect(new Set(RELEASES.map(({ shard }) => shard))).toEqual(new Set(INDEXES));
});

test.each(RELEASES)(
  '$name is applied by shard $shard alone, and its Cluster is looked after by it',
  async ({ name, cluster, shard }) => {
    const applier = REMOTE.has(cluster) ? 'kubernetes-admin' : userOf(shard);
    expect(await writersOf('configmaps', name)).toEqual([applier]);
    expect(await writersOf('releases', name)).toEqual([userOf(shard)]);
    if (cluster !== undefined)
      await expect.poll(() => writersOf('clusters', cluster)).toEqual([userOf(shard)]);
  },
);

test('the Releases of one cluster wait for each other', async () => {
  const writes = writesOfConvoy(await plane().auditEvents()).filter(
    ({ resource }) => resource === 'configmaps',
  );
  for (const cluster of CLUSTERS) {
    const own = writes.filter(({ name }) => name.startsWith(`${cluster ?? 'home'}-`));
    expect(own.map(({ name }) => name)).toEqual(WAVES.map((wave) => `${cluster ?? 'home'}-${wave}`));
  }
});

test('what is of no cluster is done by the first one', async () => {
  const rules = [{ target: { group: 'x.example', kind: 'X' }, healthy: 'true' }];
  const set = {
    apiVersion: API_VERSION,
    kind: 'GlobalHealthRuleSet',
    metadata: { name: 'any' },
    spec: { rules },
  };
  await plane().api.must('POST', RULE_SETS, set);
  await plane().api.waitForNamed(RULE_SETS, 'any', ({ status }) => status !== undefined);
  await expect.poll(() => writersOf('globalhealthrulesets', 'any')).toEqual([userOf(0)]);
});

test('where a shard is away its Releases wait for it, and all others go on', async () => {
  const [held = '', other = ''] = INDEXES.map(
    (index) => RELEASES.find(({ shard, cluster }) => shard === index && !REMOTE.has(cluster))?.name,
  );
  const change = async (name: string): Promise<void> => {
    const spec = { source: { inline: configMapYaml(name, { key: 'new' }) } };
    await patchRelease(plane().api, { namespace: NAMESPACE, name }, { spec });
  };
  await shards.get(0)?.kill();
  await change(held);
  await change(other);
  await ready(other);
  const { status, metadata } = await plane().api.must('GET', `${releasesPath(NAMESPACE)}/${held}`);
  expect(metadata['generation']).toBe(2);
  expect(status).toMatchObject({ observedGeneration: 1 });
  await start(0);
  await ready(held);
  expect(await writersOf('configmaps', held)).toEqual([userOf(0)]);
});

test('a Secret is held as long as a Cluster of any shard needs it, and everything goes in the end', async () => {
  const isHeld = async (): Promise<boolean> => {
    const { metadata } = await plane().api.must('GET', `${SECRETS}/kubeconfig`);
    return ((metadata['finalizers'] ?? []) as string[]).includes(FINALIZER);
  };
  const remove = async (gone: readonly Placed[]): Promise<void> => {
    expect(gone).not.toEqual([]);
    for (const { name } of gone) await plane().api.must('DELETE', `${releasesPath(NAMESPACE)}/${name}`);
    for (const { name } of gone) await plane().api.waitForGone(releasesPath(NAMESPACE), name);
  };
  const [first = [], second = []] = INDEXES.map((index) =>
    RELEASES.filter(({ cluster, shard }) => REMOTE.has(cluster) && shard === index),
  );
  await remove(first);
  expect(await isHeld()).toBe(true);
  await remove(second);
  await expect.poll(isHeld, { timeout: 30_000 }).toBe(false);
  await remove(RELEASES.filter(({ cluster }) => !REMOTE.has(cluster)));
  const { items } = await plane().api.must('GET', `/api/v1/namespaces/${NAMESPACE}/configmaps`);
  const left = (items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  expect(left.filter((name) => RELEASES.some((release) => release.name === name))).toEqual([]);
});
