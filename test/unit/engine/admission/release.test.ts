import { describe, expect, it } from 'vitest';
import { API_VERSION } from '../../../../api/group.ts';
import { reviewObject } from '../../../../engine/admission/reviewObject.ts';
import { REFUSED } from '../../api/cases.ts';
import { document, documents, release, reviewOf } from './support.ts';

describe('a Release', () => {
  it('that says nothing doubtful earns neither problem nor warning', async () => {
    expect(await reviewOf({})).toEqual({ problems: [], warnings: [] });
  });

  it.each(REFUSED.filter(({ object }) => object.kind === 'Release'))(
    'that the schema refuses is refused with its path: $name',
    async ({ object, path, message }) => {
      const review = await reviewObject(object, 'apps');
      expect(review?.problems).toContainEqual(expect.stringContaining(`${path}: ${message}`));
    },
  );

  it('is not judged by its status, which people do not write', async () => {
    const review = await reviewObject({ ...release({}), status: { waves: 'none' } }, 'apps');
    expect(review).toEqual({ problems: [], warnings: [] });
  });

  it.each([
    [
      { source: { git: { url: 'https://a.example/b', branch: 'main' } } },
      'spec.source.git: not available yet',
    ],
    [
      { content: { type: 'kustomize' } },
      'spec.content.type: not available yet (content other than plain YAML)',
    ],
  ])('that asks for what is not available is refused: %j', async (spec, message) => {
    const { problems } = await reviewOf(spec);
    expect(problems).toContainEqual(expect.stringContaining(message));
  });
});

describe('an inline source', () => {
  const refused: readonly [name: string, inline: string, message: string][] = [
    ['YAML that cannot be read', 'a: [1\n', 'spec.source.inline:'],
    ['a document that is no object', '- a\n', 'spec.source.inline:1: this document is no Kubernetes object'],
    [
      'an object twice',
      documents(document('web'), document('web')),
      'spec.source.inline:6: ConfigMap web in apps stands in this render twice, the first time at spec.source.inline:1',
    ],
    [
      'the same object, once with its namespace',
      documents(document('web'), document('web').replace('{"name"', '{"namespace": "apps", "name"')),
      'stands in this render twice',
    ],
    [
      'an object before its Namespace',
      documents(
        'apiVersion: v1\nkind: Namespace\nmetadata: {name: apps, annotations: {convoy.kumodo.io/sync-wave: "1"}}\n',
        document('web'),
      ),
      'ConfigMap web in apps (wave 0) would be applied before its namespace Namespace apps (wave 1): give it sync-wave 1',
    ],
    [
      'a hook that is no Job',
      document('web', { 'convoy.kumodo.io/hook': 'preSync' }),
      'ConfigMap web in apps: annotation convoy.kumodo.io/hook: preSync: only a Job (batch/v1) can be a hook',
    ],
    [
      "Convoy's own record",
      `apiVersion: ${API_VERSION}\nkind: ReleaseInventory\nmetadata: {name: a}\nspec: {entries: []}\n`,
      'ReleaseInventory a in apps: a ReleaseInventory is written by Convoy alone – take it out of the source',
    ],
    ['nothing at all', '# nothing\n', 'there is no object in it'],
  ];
  it.each(refused)('with %s is refused', async (_, inline, message) => {
    const { problems } = await reviewOf({ source: { inline } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(message);
  });

  it('may be empty where that is meant', async () => {
    const spec = { source: { inline: '# nothing\n' } };
    expect(await reviewOf(spec, { 'convoy.kumodo.io/allow-empty': 'true' })).toEqual({
      problems: [],
      warnings: [],
    });
  });

  it('is refused where its path leaves the source', async () => {
    const { problems } = await reviewOf({ content: { path: '../other' } });
    expect(problems).toEqual([expect.stringContaining('content.path "../other": leaves the source')]);
  });

  it('may hold kinds that only the cluster knows, wherever they live', async () => {
    const inline = documents(
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: apps, annotations: {convoy.kumodo.io/sync-wave: "1"}}\n',
      'apiVersion: cert.example/v1\nkind: ClusterIssuer\nmetadata: {name: letters}\n',
    );
    expect(await reviewOf({ source: { inline } })).toEqual({ problems: [], warnings: [] });
  });

  it.each([
    ['sync-wave', 'one', 'is "one": the default 0 is used; it takes an integer from -32768 to 32767'],
    ['sync-strategy', 'healthy', 'is "healthy": the default of the render is used; it takes waitForApplied'],
    ['sync-timeout', '-1s', 'is "-1s": the default 30s is used; it takes a duration over 0'],
    ['prune', 'no', 'is "no": it counts as absent; it takes disabled'],
  ])(
    'with a value of %s that is not valid is warned of, and of what counts instead',
    async (name, value, words) => {
      const annotation = `convoy.kumodo.io/${name}`;
      const review = await reviewOf({ source: { inline: document('web', { [annotation]: value }) } });
      expect(review).toEqual({
        problems: [],
        warnings: [expect.stringContaining(`ConfigMap web in apps: ${annotation} ${words}`)],
      });
    },
  );

  it.each([
    ['convoy.kumodo.io/syncwave', 'did you mean convoy.kumodo.io/sync-wave?'],
    ['convoy.kumodo.com/sync-wave', 'has no effect on Convoy; did you mean convoy.kumodo.io/sync-wave?'],
    ['convoy.kumodo.io/colour', 'is no annotation of Convoy and has no effect'],
    ['convoy.kumodo.io/sync', 'has no effect here: it belongs on a Release'],
  ])('with an annotation named %s is warned of', async (name, words) => {
    const review = await reviewOf({ source: { inline: document('web', { [name]: '1' }) } });
    expect(review.problems).toEqual([]);
    expect(review.warnings).toEqual([expect.stringMatching(`^ConfigMap web in apps: ${name} `)]);
    expect(review.warnings[0]).toContain(words);
  });

  it('is not warned of for the annotations of others', async () => {
    const others = { 'example.com/sync-wave': '1', 'argocd.argoproj.io/sync-wave': '1', description: 'x' };
    expect(await reviewOf({ source: { inline: document('web', others) } })).toEqual({
      problems: [],
      warnings: [],
    });
  });
});

describe('the annotations of a Release', () => {
  it.each([
    [
      'convoy.kumodo.io/synch',
      'convoy.kumodo.io/synch is no annotation of Convoy and has no effect; did you mean convoy.kumodo.io/sync?',
    ],
    [
      'convoy.kumodo.io/sync-wave',
      'convoy.kumodo.io/sync-wave has no effect on a Release: it belongs on the objects of its source',
    ],
  ])('%s is warned of', async (name, words) => {
    const { warnings } = await reviewOf({}, { [name]: '1' });
    expect(warnings).toEqual([`metadata.annotations: ${words}`]);
  });

  it('may be those of a rendered object where another Release brings it', async () => {
    const child = release({}, { 'convoy.kumodo.io/sync-wave': '1' });
    const labelled = {
      ...child,
      metadata: { ...child.metadata, labels: { 'convoy.kumodo.io/release': 'all' } },
    };
    expect((await reviewObject(labelled, 'apps'))?.warnings).toEqual([]);
  });
});

it('other kinds are checked against their schema', async () => {
  const cluster = { apiVersion: API_VERSION, kind: 'Cluster', metadata: { name: 'prod' } };
  expect(await reviewObject({ ...cluster, spec: { paused: true } }, 'apps')).toEqual({
    problems: [],
    warnings: [],
  });
  expect((await reviewObject({ ...cluster, spec: { paused: 'yes' } }, 'apps'))?.problems).toEqual([
    'spec.paused: must be a boolean, is a string',
  ]);
  expect(
    await reviewObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'apps'),
  ).toBeUndefined();
});

describe('the mutations of an inline source', () => {
  const patch = (path: string) => ({ type: 'jsonPatch', jsonPatch: [{ op: 'remove', path }] });

  it('are made before it is checked', async () => {
    const mutations = [{ type: 'mergePatch', mergePatch: { metadata: { name: 'one' } } }];
    const inline = documents(document('web'), document('api'));
    const { problems } = await reviewOf({ source: { inline }, mutations });
    expect(problems).toEqual([expect.stringContaining('ConfigMap one in apps stands in this render twice')]);
  });

  it('are refused where one cannot be made', async () => {
    const { problems } = await reviewOf({ mutations: [patch('/data/none')] });
    expect(problems).toEqual([
      expect.stringContaining('spec.mutations[0].jsonPatch[0]: ConfigMap web in apps: remove /data/none'),
    ]);
  });

  it('are warned of where one matches nothing', async () => {
    const { problems, warnings } = await reviewOf({
      mutations: [{ ...patch('/a'), target: { name: 'none' } }],
    });
    expect(problems).toEqual([]);
    expect(warnings).toEqual(['spec.mutations[0] matches no object']);
  });
});
