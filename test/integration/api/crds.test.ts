import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GROUP, RESOURCES } from '../../../api/group.ts';
import type { KubeObject } from '../../../api/object.ts';
import { createNamespace, useCluster } from '../../controlplane/fixture.ts';
import { ACCEPTED, REFUSED, SHA, convoyObject } from '../../unit/api/cases.ts';

const cluster = useCluster();
let namespace: string;
let folder: string;
let files = 0;

beforeAll(async () => {
  namespace = await createNamespace(cluster.api, 'api');
  folder = await mkdtemp(join(tmpdir(), 'convoy-api-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await cluster.api.must('DELETE', `/api/v1/namespaces/${namespace}`);
});

/** kubectl in the namespace of this file. */
function kubectl(...args: string[]): Promise<string> {
  return cluster.kubectl('--namespace', namespace, ...args);
}

async function fileOf(object: KubeObject): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.json`);
  await writeFile(path, JSON.stringify(object));
  return path;
}

async function apply(object: KubeObject, ...args: string[]): Promise<string> {
  return kubectl('apply', '--server-side', '-f', await fileOf(object), ...args);
}

/** What kubectl says when the API server refuses the object. */
async function refusal(object: KubeObject): Promise<string> {
  const accepted = kubectl('create', '--dry-run=server', '-f', await fileOf(object));
  return accepted.then(
    (output) => expect.fail(`not refused: ${output}`),
    (error: unknown) => String(error),
  );
}

const release = (name: string, spec: object = {}) =>
  convoyObject('Release', { source: { inline: '' }, ...spec }, name);

/** Writes a status as the controller does. */
async function applyStatus(name: string, status: object): Promise<void> {
  const object = { ...release(name), spec: undefined, status } as unknown as KubeObject;
  await apply(object, '--subresource=status', '--field-manager=convoy-status');
}

const NOW = '2026-01-31T12:00:00Z';
const ready = (status: 'True' | 'False', reason: string, message: string) => ({
  type: 'Ready',
  status,
  reason,
  message,
  lastTransitionTime: NOW,
  observedGeneration: 1,
});

interface Crd {
  status: { conditions: { type: string; status: string; message: string }[] };
}

describe('the CRDs', () => {
  it.each(Object.values(RESOURCES))(
    '$plural is established, with its names and a structural schema',
    async ({ plural }) => {
      const crd = JSON.parse(await kubectl('get', 'crd', `${plural}.${GROUP}`, '-o', 'json')) as Crd;
      const conditions = Object.fromEntries(crd.status.conditions.map(({ type, status }) => [type, status]));
      expect(conditions).toMatchObject({ Established: 'True', NamesAccepted: 'True' });
      expect(conditions).not.toHaveProperty('NonStructuralSchema');
    },
  );

  it('are found by short name and by category', async () => {
    await apply(release('named'));
    for (const name of ['rel', 'convoy']) {
      expect(await kubectl('get', name, '-o', 'name')).toContain('release.core.convoy.kumodo.io/named');
    }
    for (const name of ['ccl', 'rinv', 'hrs']) await kubectl('get', name);
  });

  it('explain themselves, defaults that Convoy applies included', async () => {
    const text = await kubectl('explain', 'release.spec');
    expect(text).toContain('Changes to the rendered objects, in order.');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('at the latest after this time. Default: 10m.');
    expect(await kubectl('explain', 'release.spec.syncPolicy.prune.orphaned')).toContain('Default: false.');
  });
});

describe('an object of a Convoy kind', () => {
  it.each(ACCEPTED)('passes: $name', async ({ object }) => {
    const path = await fileOf(object);
    await kubectl('apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', path);
  });

  it.each(REFUSED)('is refused with what to do: $name', async ({ object, path, message }) => {
    const said = await refusal(object);
    expect(said).toContain(`${path}: Invalid value`);
    expect(said).toContain(message);
  });

  it.each([
    ['spec.historyLimit', { historyLimit: 51 }, 'should be less than or equal to 50'],
    ['spec.historyLimit', { historyLimit: 0 }, 'should be greater than or equal to 1'],
    [
      'spec.syncPolicy.waveStrategy.wave',
      { syncPolicy: { waveStrategy: { wave: 32768 } } },
      'less than or equal to 32767',
    ],
    [
      'spec.syncPolicy.waveStrategy.wave',
      { syncPolicy: { waveStrategy: { wave: -32769 } } },
      'greater than or equal to -32768',
    ],
    ['spec.interval', { interval: '5 minutes' }, 'should match'],
    [
      'spec.syncPolicy.mode',
      { syncPolicy: { mode: 'automatic' } },
      'supported values: "Automatic", "Manual"',
    ],
    [
      'spec.lifecycleHooks.preSync[1]',
      {
        lifecycleHooks: {
          preSync: [
            { name: 'a', job: {} },
            { name: 'a', job: {} },
          ],
        },
      },
      'Duplicate value',
    ],
  ])('is refused outside of the limits of %s', async (path, spec, message) => {
    const said = await refusal(release('limits', spec));
    expect(said).toContain(path);
    expect(said).toContain(message);
  });

  it('is refused with a misspelt field', async () => {
    const path = await fileOf(release('misspelt', { intervall: '5m' }));
    await expect(kubectl('create', '--dry-run=server', '-f', path)).rejects.toThrow(
      'unknown field "spec.intervall"',
    );
  });

  it('has what its author wrote and no more', async () => {
    await apply(release('plain', { syncPolicy: {}, failurePolicy: {} }));
    const { spec } = JSON.parse(await kubectl('get', 'release', 'plain', '-o', 'json')) as KubeObject;
    expect(spec).toEqual({ source: { inline: '' }, syncPolicy: {}, failurePolicy: { rollback: 'Never' } });
  });

  it('keeps the inside of free-form parts', async () => {
    const values = { image: { tag: 'v1' }, list: [1, 'two', null, { three: 3.5 }] };
    const job = { template: { spec: { containers: [{ name: 'migrate', image: 'app' }] } } };
    const mutation = {
      type: 'jsonPatch',
      jsonPatch: [
        { op: 'add', path: '/spec', value: { any: ['thing', 1, null], none: null } },
        { op: 'add', path: '/none', value: null },
      ],
    };
    const spec = {
      content: { helm: { values } },
      lifecycleHooks: { preSync: [{ name: 'migrate', job }] },
      mutations: [mutation, { type: 'mergePatch', mergePatch: { spec: { none: null } } }],
    };
    await apply(release('free', spec));
    const stored = JSON.parse(await kubectl('get', 'release', 'free', '-o', 'json')) as KubeObject;
    expect(stored.spec).toMatchObject(spec);
  });
});

describe('clusterRef', () => {
  const IMMUTABLE = 'clusterRef is immutable';

  it('is neither changed, added nor removed', async () => {
    await apply(release('remote', { clusterRef: { name: 'prod' } }));
    await apply(release('local'));
    await expect(apply(release('remote', { clusterRef: { name: 'staging' } }))).rejects.toThrow(IMMUTABLE);
    await expect(apply(release('remote'))).rejects.toThrow(IMMUTABLE);
    await expect(apply(release('local', { clusterRef: { name: 'prod' } }))).rejects.toThrow(IMMUTABLE);
  });

  it('lets the rest change', async () => {
    await apply(release('remote-too', { clusterRef: { name: 'prod' } }));
    await apply(release('remote-too', { clusterRef: { name: 'prod' }, suspend: true }));
  });
});

describe('a status', () => {
  it('is what kubectl waits for and prints', async () => {
    await apply(release('shop'));
    const waiting = kubectl('wait', '--for=condition=Ready', '--timeout=30s', 'release/shop');
    await applyStatus('shop', {
      observedGeneration: 1,
      conditions: [ready('True', 'AllHealthy', '30 objects applied and healthy')],
      source: { revision: 'v1.2.3', fetchedAt: NOW },
      rollout: { state: 'Succeeded', renderRef: SHA, startedAt: NOW },
      inventory: { entries: 30, shards: 1 },
    });
    expect(await waiting).toContain('release.core.convoy.kumodo.io/shop condition met');
    const [head = '', row = ''] = (await kubectl('get', 'rel', 'shop')).split('\n');
    expect(head.trim().split(/\s+/)).toEqual(['NAME', 'READY', 'REASON', 'AGE', 'MESSAGE']);
    expect(row).toMatch(/^shop +True +AllHealthy +\d+s +30 objects applied and healthy$/);
    const wide = await kubectl('get', 'rel', 'shop', '-o', 'wide');
    expect(wide).toMatch(/APPLIED +HEALTHY +ROLLOUT +REVISION +CLUSTER +OBJECTS/);
    expect(wide).toMatch(/Succeeded +v1\.2\.3 +30 /);
  });

  it('does not change the generation, nor does the spec change the status', async () => {
    await apply(release('apart'));
    await applyStatus('apart', { observedGeneration: 1 });
    await apply(release('apart', { suspend: true }));
    const stored = JSON.parse(await kubectl('get', 'release', 'apart', '-o', 'json')) as KubeObject;
    expect(stored.metadata.generation).toBe(2);
    expect(stored['status']).toEqual({ observedGeneration: 1 });
  });

  it('is refused with a render that is no digest', async () => {
    await apply(release('corrupt'));
    const lastHealthy = { renderRef: 'latest', revision: 'v1', at: NOW };
    await expect(applyStatus('corrupt', { lastHealthy })).rejects.toThrow('status.lastHealthy.renderRef');
  });

  it('loses what its manager no longer writes, conditions by their type', async () => {
    await apply(release('merged'));
    await applyStatus('merged', {
      conditions: [ready('False', 'Progressing', 'x'), { ...ready('True', 'Applied', 'x'), type: 'Applied' }],
      waves: [{ number: 0, resources: 1, applied: 1, state: 'Completed', startedAt: NOW, completedAt: NOW }],
    });
    await applyStatus('merged', { conditions: [ready('True', 'AllHealthy', 'y')] });
    const stored = JSON.parse(await kubectl('get', 'release', 'merged', '-o', 'json')) as KubeObject;
    expect(stored['status']).toEqual({ conditions: [ready('True', 'AllHealthy', 'y')] });
  });
});

describe('a full inventory shard', () => {
  it('fits into one object', async () => {
    const entries = Array.from({ length: 500 }, (_, index) => ({
      group: 'monitoring.coreos.com',
      version: 'v1',
      kind: 'PrometheusRule',
      namespace: 'n'.repeat(63),
      name: `${'a'.repeat(249)}${1000 + index}`,
      uid: '4c1f1d8e-7f53-4a43-9a62-2b5b37a6ef57',
      wave: -32768,
      stage: 'Prerequisites',
      renderRef: SHA,
      health: { state: 'Progressing', message: 'm'.repeat(200), since: NOW, renderRef: SHA },
    }));
    await apply(convoyObject('ReleaseInventory', { entries }, 'full'));
    const stored = JSON.parse(await kubectl('get', 'rinv', 'full', '-o', 'json')) as KubeObject;
    expect(stored.spec).toEqual({ entries });
  });
});
