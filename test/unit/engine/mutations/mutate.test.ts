import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyOf, keyString, type KubeObject } from '../../../../api/object.ts';
import type { Mutation } from '../../../../api/release.ts';
import { parseJson } from '../../../../engine/render/json.ts';
import { render } from '../../../../engine/render/render.ts';
import { file, messageOf, OPTIONS } from '../render/support.ts';
import { deployment, mutated } from './support.ts';

const wave: Mutation = {
  type: 'syncWave',
  waveStrategy: { wave: 7, strategy: 'waitForHealthyWithTimeout', timeout: '1m' },
};

describe('mutate', () => {
  test('writes wave annotations over those that stand there, and keeps a timeout that it does not give', () => {
    const untimed: Mutation = { type: 'syncWave', waveStrategy: { wave: 7, strategy: 'waitForHealthy' } };
    expect(mutated([deployment()], [untimed])[0]?.metadata.annotations).toEqual({
      'convoy.kumodo.io/sync-wave': '7',
      'convoy.kumodo.io/sync-strategy': 'waitForHealthy',
      'convoy.kumodo.io/sync-timeout': '9m',
    });
    expect(mutated([deployment()], [wave])[0]?.metadata.annotations).toMatchObject({
      'convoy.kumodo.io/sync-timeout': '1m',
    });
  });

  test('sets labels and annotations beside those that are there', () => {
    const mutations: Mutation[] = [
      { type: 'labels', labels: { tier: 'back', team: 'a' } },
      { type: 'annotations', annotations: { note: 'b' } },
    ];
    const [object] = mutated([deployment({ annotations: { old: 'c' } })], mutations);
    expect(object?.metadata).toMatchObject({
      labels: { app: 'web', tier: 'back', team: 'a' },
      annotations: { old: 'c', note: 'b' },
    });
  });

  test('later mutations win, and see what earlier ones made', () => {
    const byTeam = { labelSelector: { matchLabels: { team: 'a' } } };
    const mutations: Mutation[] = [
      { type: 'labels', labels: { team: 'a' } },
      { type: 'labels', labels: { tier: 'seen' }, target: byTeam },
      { type: 'labels', labels: { team: 'b' } },
    ];
    expect(mutated([deployment()], mutations)[0]?.metadata.labels).toEqual({
      app: 'web',
      tier: 'seen',
      team: 'b',
    });
  });

  test('only what is targeted is changed', () => {
    const other = deployment({ name: 'other' });
    expect(mutated([other, deployment()], [{ ...wave, target: { name: 'web' } }])[0]).toEqual(other);
  });

  test('a mutation without any object is a warning', () => {
    const warnings: string[] = [];
    mutated([deployment()], [wave, { ...wave, target: { name: 'other' } }], warnings);
    expect(warnings).toEqual(['spec.mutations[1] matches no object']);
  });

  test('neither the objects nor the mutations are changed, and nothing is shared among objects', () => {
    const value = { ports: [{ port: 1 }] };
    const mutation: Mutation = { type: 'jsonPatch', jsonPatch: [{ op: 'add', path: '/spec', value }] };
    const objects = [deployment({}, { spec: { a: 1 } }), deployment({ name: 'b' }, { spec: { a: 1 } })];
    const before = structuredClone(objects);
    const [first, second] = mutated(objects, [mutation, wave]);
    expect(objects).toEqual(before);
    (first?.['spec'] as typeof value).ports.push({ port: 2 });
    expect(value).toEqual({ ports: [{ port: 1 }] });
    expect(second?.['spec']).toEqual(value);
  });

  test('every object that fails is named', () => {
    const mutation: Mutation = { type: 'jsonPatch', jsonPatch: [{ op: 'remove', path: '/spec' }] };
    const message = messageOf(() => mutated([deployment(), deployment({ name: 'b' })], [mutation]));
    expect(message.split('\n').map((line) => line.split(': ')[1])).toEqual([
      'apps/Deployment web in shop',
      'apps/Deployment b in shop',
    ]);
  });

  test.for<[says: string, mutation: Mutation]>([
    [
      'spec.mutations[0].target.labelSelector: matchExpressions[0]: In needs at least one value: correct the selector',
      { ...wave, target: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } },
    ],
    [
      'spec.mutations[0].mergePatch.data: the key __proto__ is not allowed: rename it',
      {
        type: 'mergePatch',
        mergePatch: JSON.parse('{"data":{"__proto__":{"a":1}}}') as Record<string, unknown>,
      },
    ],
    [
      'spec.mutations[0].mergePatch.spec.size: no double holds this number exactly, and Releases are read as such: write it in the source',
      { type: 'mergePatch', mergePatch: { spec: { size: 2 ** 60 } } },
    ],
    [
      'spec.mutations[0].jsonPatch[0].value: no double holds this number exactly',
      { type: 'jsonPatch', jsonPatch: [{ op: 'add', path: '/a', value: parseJson('9007199254740993') }] },
    ],
    [
      'its values are nested too deep: make them flatter',
      {
        type: 'jsonPatch',
        jsonPatch: [{ op: 'add', path: '/a', value: JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) }],
      },
    ],
  ])('refuses what can be made on no object: %s', ([says, mutation]) => {
    expect(messageOf(() => mutated([deployment()], [mutation]))).toContain(says);
  });
});

describe('a render with mutations', () => {
  const rendered = (text: string, ...mutations: Mutation[]) =>
    render(file(text), {}, { ...OPTIONS, mutations });
  const config = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
  const patch = (target: Mutation['target'], mergePatch: Record<string, unknown>): Mutation => ({
    type: 'mergePatch',
    mergePatch,
    ...(target === undefined ? {} : { target }),
  });

  test('targets the namespace that an object gets from the Release', () => {
    const target = { namespace: 'apps' };
    expect(rendered(config('a'), { ...wave, target }).warnings).toEqual([]);
  });

  test('is in the order of a render', () => {
    const { objects } = rendered(
      `${config('a')}---\n${config('b')}`,
      patch({ name: 'a' }, { metadata: { name: 'c' } }),
    );
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
  });

  test('refuses two objects that a mutation makes one', () => {
    const text = `${config('a')}---\n${config('b')}`;
    expect(messageOf(() => rendered(text, patch({}, { metadata: { name: 'c' } })))).toContain(
      'ConfigMap c in apps stands in this render twice, the first time at f.yaml:1',
    );
  });

  test('places objects again', () => {
    const moved = rendered(config('a'), patch({}, { metadata: { namespace: null } }));
    expect(moved.objects[0]?.metadata.namespace).toBe('apps');
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n';
    const cluster = rendered(namespace, patch({}, { metadata: { namespace: 'b' } }));
    expect(cluster.objects[0]?.metadata).toEqual({ name: 'a' });
    expect(cluster.warnings).toHaveLength(1);
  });

  test('writes out again what server-side apply needs', () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n';
    expect(rendered(secret, patch({}, { stringData: { a: 'b' } })).objects[0]).toMatchObject({
      data: { a: 'Yg==' },
    });
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n';
    expect(rendered(service, patch({}, { spec: { ports: [{ port: 80 }] } })).objects[0]?.['spec']).toEqual({
      ports: [{ port: 80, protocol: 'TCP' }],
    });
  });

  test('can correct the apiVersion of a kind that the cluster does not know', () => {
    const ingress = 'apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\n';
    expect(messageOf(() => rendered(ingress, wave))).toMatch(/has no kind Ingress/);
    const corrected = rendered(ingress, patch({}, { apiVersion: 'networking.k8s.io/v1' }));
    expect(corrected.objects[0]?.metadata.namespace).toBe('apps');
    expect(corrected.unknown).toEqual([]);
  });
});

describe('whatever the mutations', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'a-b', 'a*', '?');
  const target = fc.record(
    {
      kind: fc.constantFrom('ConfigMap', 'Secret'),
      name: word,
      namespace: fc.constantFrom('a', 'b'),
      labelSelector: fc.record({ matchLabels: fc.dictionary(word, word, { maxKeys: 1 }) }),
    },
    { requiredKeys: [] },
  );
  const syncWave = fc.record({
    type: fc.constant('syncWave' as const),
    target,
    waveStrategy: fc.record(
      {
        wave: fc.integer({ min: -9, max: 9 }),
        strategy: fc.constant('waitForHealthy' as const),
        timeout: fc.constant('1m'),
      },
      { requiredKeys: ['wave', 'strategy'] },
    ),
  });
  const mutation: fc.Arbitrary<Mutation> = fc.oneof(
    syncWave,
    fc.record({ type: fc.constant('labels' as const), target, labels: fc.dictionary(word, word) }),
    fc.record({ type: fc.constant('annotations' as const), target, annotations: fc.dictionary(word, word) }),
    fc.record({
      type: fc.constant('mergePatch' as const),
      target,
      mergePatch: fc.record({ data: fc.dictionary(word, fc.oneof(word, fc.nat(), fc.constant(null))) }),
    }),
  );
  const object: fc.Arbitrary<KubeObject> = fc.record({
    apiVersion: fc.constant('v1'),
    kind: fc.constantFrom('ConfigMap', 'Secret'),
    metadata: fc.record(
      { name: word, namespace: fc.constantFrom('a', 'b'), labels: fc.dictionary(word, word) },
      { requiredKeys: ['name'] },
    ),
  });
  const key = (one: KubeObject) => keyString(keyOf(one));
  const objects = fc.uniqueArray(object, { selector: key, maxLength: 8 });
  const mutations = fc.array(mutation, { maxLength: 5 });

  test('no object is lost or doubled, and the same input has the same output', () => {
    fc.assert(
      fc.property(objects, mutations, (given, made) => {
        const before = structuredClone(given);
        const after = mutated(given, made);
        expect(after.map(key)).toEqual(given.map(key));
        expect(given).toEqual(before);
        expect(mutated(given, made)).toEqual(after);
      }),
    );
  });

  test('syncWave mutations change nothing the second time', () => {
    fc.assert(
      fc.property(objects, fc.array(syncWave, { maxLength: 5 }), (given, made) => {
        const once = mutated(given, made);
        expect(mutated(once, made)).toEqual(once);
      }),
    );
  });
});
