import { describe, expect, test } from 'vitest';
import { toObjects } from '../../../../engine/render/objects.ts';
import { parseYaml } from '../../../../engine/render/yaml.ts';
import { messageOf } from './support.ts';

const objects = (text: string) => toObjects(parseYaml(text, 'f.yaml'), 'f.yaml');
const refusal = (text: string) => messageOf(() => objects(text));
const named = (name: string) => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`;

describe('lists', () => {
  test('a List is unfolded, and each item is found by its place', () => {
    const found = objects(`apiVersion: v1\nkind: List\nitems:\n- ${named('a')}\n- ${named('b')}\n`);
    expect(found.map(({ object, where }) => [object.metadata.name, where])).toEqual([
      ['a', 'f.yaml:1 items[0]'],
      ['b', 'f.yaml:1 items[1]'],
    ]);
  });

  test('items of a typed list take what they leave out from the list', () => {
    const found = objects('apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n');
    expect(found.map(({ object }) => object)).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    ]);
  });

  test('a list in a list is unfolded too', () => {
    const inner = `{apiVersion: v1, kind: List, items: [${named('a')}]}`;
    expect(objects(`apiVersion: v1\nkind: List\nitems: [${inner}, ${named('b')}]\n`)).toHaveLength(2);
  });

  test('an object of a kind that ends in List is one, since it has a name', () => {
    const [found] = objects('apiVersion: x.io/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [1]\n');
    expect(found?.object.kind).toBe('AllowList');
  });

  test('an empty list has no objects', () => {
    expect(objects('apiVersion: v1\nkind: List\nitems: []\n')).toEqual([]);
  });

  test('lists that go on and on are refused', () => {
    const nested = Array.from({ length: 10 }).reduce<string>(
      (inner) => `{apiVersion: v1, kind: List, items: [${inner}]}`,
      named('a'),
    );
    expect(refusal(nested)).toMatch(/lists stand in lists/);
  });
});

test.each([
  ['- a\n', /^f\.yaml:1: this document is no Kubernetes object: write a map/],
  ['text\n', /^f\.yaml:1: this document is no Kubernetes object/],
  ['kind: A\nmetadata: {name: a}\n', /^f\.yaml:1: apiVersion is missing: add it$/],
  ['apiVersion: v1\nmetadata: {name: a}\n', /^f\.yaml:1: kind is missing/],
  ['apiVersion: v1\nkind: ConfigMap\n', /^f\.yaml:1: metadata\.name is missing/],
  ['apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n', /^f\.yaml:1: metadata\.name is missing/],
  ['apiVersion: v1\nkind: ConfigMap\nmetadata: a\n', /^f\.yaml:1: metadata is no map/],
  [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 1}\n',
    /metadata\.name is a number, not text: put it in quotes/,
  ],
  ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a/b}\n', /metadata\.name "a\/b" is not valid/],
  ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ..}\n', /metadata\.name "\.\." is not valid/],
  [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: A|b}\n',
    /metadata\.namespace "A\|b" is not valid/,
  ],
  ['apiVersion: a/b/c\nkind: ConfigMap\nmetadata: {name: a}\n', /apiVersion "a\/b\/c" is not valid/],
  ['apiVersion: v1\nkind: Config Map\nmetadata: {name: a}\n', /kind "Config Map" is not valid/],
  [
    'apiVersion: v1\nkind: Job\nmetadata: {generateName: a-}\n',
    /generateName makes another object at each apply: give it a metadata\.name/,
  ],
  [
    'apiVersion: v1\nkind: Job\nmetadata: {generateName: a-, name: b}\n',
    /generateName .*: remove generateName/,
  ],
  [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {x: yes}}\n',
    /metadata\.labels "x" is a boolean, not text/,
  ],
  [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {convoy.kumodo.io/sync-wave: 1}}\n',
    /sync-wave" is a number, not text/,
  ],
  ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: [x]}\n', /metadata\.labels is no map/],
])('%j is refused', (text, message) => {
  expect(refusal(text)).toMatch(message);
});

test('names that Kubernetes allows are taken', () => {
  expect(
    objects('apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "system:a|b"}\n'),
  ).toHaveLength(1);
});

test('each bad document is named, 20 at most and the rest counted', () => {
  const lines = refusal('kind: A\nmetadata: {name: a}\n---\n'.repeat(25)).split('\n');
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('and 5 more');
});

test('more objects than the limit are refused', () => {
  const documents = parseYaml(`${named('a')}\n---\n`.repeat(3), 'f');
  expect(messageOf(() => toObjects(documents, 'f', { objects: 2 }))).toMatch(
    /^f: there are more than 2 objects/,
  );
});

test.each([
  ['apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n', 'x.yaml'],
  ['resources: [a.yaml]\n', 'deploy/kustomization.yaml'],
])('a file for kustomize is left out with a warning', (text, path) => {
  const warnings: string[] = [];
  expect(toObjects(parseYaml(text, path), path, undefined, warnings)).toEqual([]);
  expect(warnings).toEqual([
    `${path}:1: left out: it tells kustomize what to do, and plain files are read here`,
  ]);
});
