import { describe, expect, it } from 'vitest';
import { document, reviewOf } from './support.ts';

/** Problems but for those of fields that are not available. */
async function problemsOf(spec: object): Promise<string[]> {
  const { problems } = await reviewOf(spec);
  return problems.filter((problem) => !problem.includes('not available yet'));
}

describe('a selector', () => {
  const selecting = (selector: object) => ({ source: { configMap: { selector } } });
  const AT = 'spec.source.configMap.selector';

  it.each([
    [{ matchLabels: { 'example.com/a_b': 'x.y', c: '' } }],
    [
      {
        matchExpressions: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'a', operator: 'Exists' },
        ],
      },
    ],
  ])('that can select is fine: %j', async (selector) => {
    expect(await problemsOf(selecting(selector))).toEqual([]);
  });

  it.each([
    [{ matchLabels: { 'a b': 'c' } }, `${AT}.matchLabels: "a b" is no valid key: write NAME or PREFIX/NAME`],
    [{ matchLabels: { 'A.example/b': 'c' } }, `${AT}.matchLabels: "A.example/b" is no valid key`],
    [{ matchLabels: { 'a/b/c': 'c' } }, `${AT}.matchLabels: "a/b/c" is no valid key`],
    [{ matchLabels: { a: '-b' } }, `${AT}.matchLabels: "-b" is no valid label value`],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      `${AT}.matchExpressions[0]: In needs at least one value`,
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      `${AT}.matchExpressions[0]: Exists takes no values`,
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b c'] }] },
      `${AT}.matchExpressions[0]: "b c" is no valid label value`,
    ],
  ])('that cannot is refused: %j', async (selector, message) => {
    expect(await problemsOf(selecting(selector))).toEqual([expect.stringContaining(message)]);
  });

  it('over annotations takes values of any form', async () => {
    const target = { annotationSelector: { matchLabels: { 'example.com/a': 'any words at all' } } };
    expect(await problemsOf({ mutations: [{ type: 'labels', labels: { a: 'b' }, target }] })).toEqual([]);
  });

  it.each([
    [
      { healthAssessment: { globalRuleSetSelector: { matchLabels: { '': 'a' } } } },
      'spec.healthAssessment.globalRuleSetSelector.matchLabels',
    ],
    [
      {
        mutations: [
          { type: 'labels', labels: { a: 'b' }, target: { labelSelector: { matchLabels: { '!': 'a' } } } },
        ],
      },
      'spec.mutations[0].target.labelSelector.matchLabels',
    ],
  ])('is checked wherever it stands: %j', async (spec, path) => {
    expect(await problemsOf(spec)).toEqual([expect.stringContaining(path)]);
  });
});

describe('the selector of a mutation', () => {
  it.each([
    [
      { labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      'matchExpressions[0]: In needs at least one value',
    ],
    [
      { annotationSelector: { matchLabels: { 'a b': 'any words' } } },
      'annotationSelector.matchLabels: "a b" is no valid key',
    ],
  ])('that cannot select is refused once, whatever the source: %j', async (target, message) => {
    const mutations = [{ type: 'labels', labels: { a: 'b' }, target }];
    for (const source of [{ inline: document('web') }, { configMap: { name: 'a' } }])
      expect(await problemsOf({ source, mutations })).toEqual([expect.stringContaining(message)]);
  });
});

describe('a mutation', () => {
  const images = { type: 'images', images: [{ name: 'a', newTag: 'b' }] };

  it.each([
    [{ ...images, target: { group: 'apps', kind: 'Deployment', namespace: 'shop' } }],
    [{ ...images, target: { kind: 'Service' } }],
    [{ ...images, target: { group: 'serving.example', kind: 'Service' } }],
    [
      {
        type: 'jsonPatch',
        jsonPatch: [
          { op: 'add', path: '/data/b', value: '1' },
          { op: 'remove', path: '/data/key' },
        ],
      },
    ],
  ])('that can do what it says is fine: %j', async (mutation) => {
    expect(await problemsOf({ mutations: [mutation] })).toEqual([]);
  });

  it.each([
    [
      { ...images, target: { group: '', kind: 'ConfigMap' } },
      'spec.mutations[0].target.kind: a ConfigMap has no containers, so no image: choose another kind',
    ],
    [
      {
        type: 'labels',
        labels: { a: 'b' },
        target: { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', namespace: 'a' },
      },
      'spec.mutations[0].target.namespace: a ClusterRole of rbac.authorization.k8s.io has no namespace: leave it out',
    ],
    [{ type: 'labels', labels: { 'a b': 'c' } }, 'spec.mutations[0].labels: "a b" is no valid key'],
    [{ type: 'labels', labels: { a: 'b c' } }, 'spec.mutations[0].labels: "b c" is no valid label value'],
    [
      { type: 'annotations', annotations: { 'a b': 'c' } },
      'spec.mutations[0].annotations: "a b" is no valid key',
    ],
    [
      { type: 'jsonPatch', jsonPatch: [{ op: 'add', path: '/a' }] },
      'spec.mutations[0].jsonPatch[0]: add needs value: add it',
    ],
    [
      { type: 'jsonPatch', jsonPatch: [{ op: 'move', path: '/a' }] },
      'spec.mutations[0].jsonPatch[0]: move needs from: add it',
    ],
  ])('that cannot is refused: %j', async (mutation, message) => {
    expect(await problemsOf({ mutations: [mutation] })).toEqual([expect.stringContaining(message)]);
  });
});

describe('a hook', () => {
  const job = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } };

  it.each([[{}], [{ template: {} }], [{ template: { spec: { containers: [] } } }], [{ template: [] }]])(
    'whose job is no Job is refused: %j',
    async (broken) => {
      const lifecycleHooks = { preSync: [{ name: 'a', job }], syncFailed: [{ name: 'b', job: broken }] };
      expect(await problemsOf({ lifecycleHooks })).toEqual([
        'spec.lifecycleHooks.syncFailed[0].job: has no template.spec.containers: write the spec of a Job (batch/v1)',
      ]);
    },
  );
});
