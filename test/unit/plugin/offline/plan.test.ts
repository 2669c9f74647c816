import { describe, expect, it } from 'vitest';
import { describe as nameOf } from '../../../../api/object.ts';
import { planInput } from '../../../../plugin/offline/input.ts';
import { planOffline, type PlanReport } from '../../../../plugin/offline/plan.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { planPage } from '../../../../plugin/views/planPage.ts';
import { textWidth } from '../../../../plugin/views/width.ts';

async function plan(text: string, namespace = 'default'): Promise<PlanReport> {
  return planOffline(await planInput([{ path: 'all.yaml', text }]), namespace);
}

/** An object with these annotations of Convoy, as YAML. */
function object(
  apiVersion: string,
  kind: string,
  name: string,
  annotations: Record<string, string> = {},
  namespace?: string,
) {
  const own = Object.entries(annotations).map(([key, value]) => [`convoy.kumodo.io/${key}`, value]);
  const metadata = { name, namespace, annotations: Object.fromEntries(own) as unknown };
  return JSON.stringify({ apiVersion, kind, metadata });
}

const together = (...objects: string[]): string => objects.join('\n---\n');

/** `wave/Stage: names` a line. */
function outline({ waves }: PlanReport): string[] {
  return waves.flatMap(({ number, stages }) =>
    stages.map(({ name, objects }) => `${number}/${name}: ${objects.map(nameOf).join(', ')}`),
  );
}

function deleteOutline({ deleteWaves }: PlanReport): string[] {
  return deleteWaves.flatMap(({ deleteOrder, stages }) =>
    stages.map(({ name, objects }) => `${deleteOrder}/${name}: ${objects.map(nameOf).join(', ')}`),
  );
}

const CRD = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'hulls.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { kind: 'Hull', plural: 'hulls' },
    versions: [{ name: 'v1', served: true, storage: true }],
  },
});

describe('an offline plan', () => {
  it('puts objects into waves and stages, and takes scopes from the CRDs in the files', async () => {
    const report = await plan(
      together(
        object('example.com/v1', 'Hull', 'first'),
        CRD,
        object('apps/v1', 'Deployment', 'web', { 'sync-wave': '3' }),
        object('v1', 'Namespace', 'shop'),
      ),
    );
    expect(outline(report)).toEqual([
      '0/Namespaces: Namespace shop',
      '0/Types: apiextensions.k8s.io/CustomResourceDefinition hulls.example.com',
      '0/Instances: example.com/Hull first',
      '3/Regular: apps/Deployment web in default',
    ]);
    expect(deleteOutline(report)).toEqual([
      '0/Instances: example.com/Hull first',
      '0/Regular: apps/Deployment web in default',
      '0/Types: apiextensions.k8s.io/CustomResourceDefinition hulls.example.com',
      '0/Namespaces: Namespace shop',
    ]);
    expect(report).toMatchObject({ objects: 4, warnings: [], problems: [] });
  });

  it('names the namespace of those without one only where there are such', async () => {
    const given = await plan('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n');
    expect(given.notes).toEqual([]);
  });

  it('takes kinds that nobody knows for namespaced, and says so', async () => {
    const report = await plan(
      together(object('acme.io/v1', 'Gadget', 'g'), object('acme.io/v1', 'Gizmo', 'z')),
      'apps',
    );
    expect(outline(report)).toEqual(['0/Regular: acme.io/Gadget g in apps, acme.io/Gizmo z in apps']);
    expect(report.notes).toEqual([
      'objects without a namespace are planned in "apps"',
      'acme.io/Gadget, acme.io/Gizmo are not kinds that can be known offline: taken for namespaced',
    ]);
  });

  it('tells the gate of each wave', async () => {
    const report = await plan(
      together(
        object('v1', 'ConfigMap', 'a', { 'sync-strategy': 'waitForHealthy' }),
        object('v1', 'ConfigMap', 'b', { 'sync-wave': '2', 'sync-strategy': 'waitForHealthyWithTimeout' }),
        object('v1', 'ConfigMap', 'c', {
          'sync-wave': '2',
          'sync-strategy': 'waitForHealthyWithTimeout',
          'sync-timeout': '2m',
        }),
        object('v1', 'ConfigMap', 'd', {
          'sync-wave': '5',
          'sync-strategy': 'waitForHealthy',
          'sync-timeout': '9m',
        }),
        object('v1', 'ConfigMap', 'e', { 'sync-wave': '6' }),
      ),
    );
    expect(report.waves.map(({ gate }) => gate)).toEqual([
      undefined,
      { after: 0, limitMs: 120_000 },
      { after: 2, limitMs: undefined },
      undefined,
    ]);
  });

  it('warns of values that are not valid', async () => {
    const report = await plan(object('v1', 'ConfigMap', 'a', { 'sync-wave': 'high', prune: 'yes' }));
    expect(report.warnings).toEqual([
      'ConfigMap a in default: convoy.kumodo.io/sync-wave is "high": the default 0 is used; it takes an integer from -32768 to 32767',
      'ConfigMap a in default: convoy.kumodo.io/prune is "yes": it counts as absent; it takes disabled',
    ]);
  });

  it('leaves out of the delete waves what is never deleted, and its Namespace', async () => {
    const report = await plan(
      together(
        object('v1', 'Namespace', 'shop'),
        object('v1', 'ConfigMap', 'kept', { prune: 'disabled' }, 'shop'),
        object('v1', 'ConfigMap', 'last', { 'delete-order': '2' }, 'other'),
      ),
    );
    expect(deleteOutline(report)).toEqual(['2/Regular: ConfigMap last in other']);
    expect(report.kept.map(nameOf)).toEqual(['ConfigMap kept in shop']);
  });

  it('names both objects of an order that cannot be', async () => {
    const report = await plan(
      together(
        object('v1', 'Namespace', 'shop', { 'sync-wave': '2' }),
        object('v1', 'ConfigMap', 'early', { 'sync-wave': '1' }, 'shop'),
      ),
    );
    expect(report.problems).toEqual([
      expect.stringMatching(/ConfigMap early in shop \(wave 1\).*Namespace shop \(wave 2\)/),
    ]);
  });

  it('refuses what the controller would refuse too', async () => {
    await expect(plan('kind: x')).rejects.toThrow(/all\.yaml:1: apiVersion is missing/);
    await expect(plan('')).rejects.toThrow(/there is no object/);
    const twice = object('v1', 'ConfigMap', 'a');
    await expect(plan(together(twice, twice))).rejects.toThrow(/twice/);
  });
});

describe('a Release', () => {
  const release = (spec: object, annotations = {}) =>
    JSON.stringify({
      apiVersion: 'core.convoy.kumodo.io/v1alpha1',
      kind: 'Release',
      metadata: { name: 'web', namespace: 'apps', annotations },
      spec,
    });
  const inline = together(
    object('v1', 'ConfigMap', 'a'),
    object('v1', 'ConfigMap', 'b', { 'sync-wave': '1' }),
  );

  it('is planned by its inline manifests and what its spec says of them', async () => {
    const report = await plan(
      release({
        source: { inline },
        targetNamespace: 'shop',
        syncPolicy: { defaultStrategy: 'waitForHealthy' },
      }),
    );
    expect(outline(report)).toEqual(['0/Regular: ConfigMap a in shop', '1/Regular: ConfigMap b in shop']);
    expect(report.waves[1]?.gate).toEqual({ after: 0, limitMs: undefined });
  });

  it('is planned with its mutations', async () => {
    const mutations = [
      {
        type: 'syncWave',
        target: { kind: 'ConfigMap', name: '?', namespace: 'apps' },
        waveStrategy: { wave: 4, strategy: 'waitForApplied' },
      },
      { type: 'mergePatch', target: { name: 'a' }, mergePatch: { metadata: { name: 'c' } } },
      { type: 'labels', target: { name: 'none' }, labels: { a: 'b' } },
    ];
    const report = await plan(release({ source: { inline }, mutations }));
    expect(outline(report)).toEqual(['4/Regular: ConfigMap b in apps, ConfigMap c in apps']);
    expect(report.warnings).toEqual(['spec.mutations[2] matches no object']);
    const patch = { type: 'jsonPatch', jsonPatch: [{ op: 'remove', path: '/data' }] };
    await expect(plan(release({ source: { inline }, mutations: [patch] }))).rejects.toThrow(
      'spec.mutations[0].jsonPatch[0]: ConfigMap a in apps: remove /data: there is no /data',
    );
  });

  it('goes into its own namespace', async () => {
    expect(outline(await plan(release({ source: { inline } }), 'other'))[0]).toBe(
      '0/Regular: ConfigMap a in apps',
    );
  });

  it('may be empty where that is meant', async () => {
    await expect(plan(release({ source: { inline: '' } }))).rejects.toThrow(/no object/);
    const meant = { 'convoy.kumodo.io/allow-empty': 'true' };
    expect((await plan(release({ source: { inline: '' } }, meant))).objects).toBe(0);
  });

  it('next to other objects is one of them', async () => {
    const report = await plan(together(release({ source: { inline } }), object('v1', 'ConfigMap', 'c')));
    expect(outline(report)).toEqual([
      '0/Regular: ConfigMap c in default, core.convoy.kumodo.io/Release web in apps',
    ]);
    expect(report.notes).toHaveLength(1);
  });

  it('that is not valid is refused, every field named', async () => {
    await expect(plan(release({ sorce: {}, source: { inline } }))).rejects.toMatchObject({
      message: 'core.convoy.kumodo.io/Release web in apps is not valid',
      why: ['spec.sorce: unknown field; did you mean source?'],
    });
  });

  it('whose source lies elsewhere cannot be planned from its file', async () => {
    await expect(plan(release({ source: { configMap: { name: 'x' } } }))).rejects.toMatchObject({
      why: ['its source is configMap, whose content is not in this file'],
    });
  });
});

describe('the page of a plan', () => {
  it('tells waves, gates, delete waves, warnings and notes', async () => {
    const report = await plan(
      together(
        object('v1', 'Namespace', 'shop'),
        object(
          'apps/v1',
          'Deployment',
          'web',
          { 'sync-wave': '1', 'sync-strategy': 'waitForHealthyWithTimeout', 'sync-timeout': '90s' },
          'shop',
        ),
        object('v1', 'ConfigMap', 'kept', { prune: 'disabled', health: 'maybe' }),
      ),
    );
    expect(planPage(report, { now: new Date(0), width: 80, paint: plain })).toEqual([
      '3 objects in 2 waves',
      '',
      'Wave 0: 2 objects',
      '  Namespaces',
      '    Namespace shop',
      '  Regular',
      '    ConfigMap kept in default',
      '',
      'Wave 1: 1 object, waits until wave 0 is healthy, at most 1m30s (with',
      '  spec.healthAssessment)',
      '  Regular',
      '    apps/Deployment web in shop',
      '',
      'Delete wave 0: 2 objects',
      '  Regular',
      '    apps/Deployment web in shop',
      '  Namespaces',
      '    Namespace shop',
      '',
      'Never deleted',
      '  - ConfigMap kept in default',
      '',
      'Warnings',
      '  - ConfigMap kept in default: convoy.kumodo.io/health is "maybe": it counts as',
      '    absent; it takes ignore',
      '',
      'Notes',
      '  - objects without a namespace are planned in "default"',
    ]);
  });

  it.each([50, 80])('fits %i columns', async (width) => {
    const report = await plan(object('v1', 'ConfigMap', 'n'.repeat(250), { 'sync-wave': 'x'.repeat(300) }));
    const lines = planPage(report, { now: new Date(0), width, paint: plain });
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
  });
});
