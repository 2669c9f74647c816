import { expect, it } from 'vitest';
import type { Mutation } from '../../../../api/release.ts';
import { mutate } from '../../../../webhook/mutate/mutate.ts';
import { readReview } from '../../../../webhook/review/admissionReview.ts';
import { requestOf, reviewOf } from '../support.ts';

const CONTROLLER = 'the-controller';
const LABEL = 'convoy.kumodo.io/release';
const MUTATIONS: Mutation[] = [{ type: 'syncWave', waveStrategy: { wave: 2, strategy: 'waitForApplied' } }];
const WAVE = { 'convoy.kumodo.io/sync-wave': '2', 'convoy.kumodo.io/sync-strategy': 'waitForApplied' };

/** One Release, shop in apps. */
const releases = {
  byLabels: (namespace: string, name: string) =>
    `${namespace}/${name}` === 'apps/shop' ? { mutations: MUTATIONS } : undefined,
};

function patchOf(
  metadata: object,
  request: object = {},
  kind = { group: '', version: 'v1', kind: 'ConfigMap' },
) {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  const object = { apiVersion, kind: kind.kind, metadata: { name: 'web', namespace: 'apps', ...metadata } };
  const verdict = mutate(readReview(reviewOf(requestOf({ kind, object, ...request }))), {
    releases,
    controllerUser: CONTROLLER,
  });
  return verdict.allowed ? (verdict.patch ?? []) : undefined;
}

it('gives the waves of the Release that the labels name', () => {
  const patch = [{ op: 'add', path: '/metadata/annotations', value: WAVE }];
  expect(patchOf({ labels: { [LABEL]: 'shop' } })).toEqual(patch);
  expect(patchOf({ labels: { [LABEL]: 'shop' }, annotations: WAVE })).toEqual([]);
  const elsewhere = { [LABEL]: 'shop', 'convoy.kumodo.io/release-namespace': 'apps' };
  expect(patchOf({ namespace: 'other', labels: elsewhere })).toEqual(patch);
  expect(patchOf({ namespace: undefined, labels: elsewhere })).toEqual(patch);
});

it.each([
  ['no label', {}, {}],
  ['no such Release', { labels: { [LABEL]: 'nobody' } }, {}],
  ['a Release of another namespace', { namespace: 'other', labels: { [LABEL]: 'shop' } }, {}],
  [
    'a cluster-scoped object that names no namespace',
    { namespace: undefined, labels: { [LABEL]: 'shop' } },
    {},
  ],
  ['what Convoy applies', { labels: { [LABEL]: 'shop' } }, { options: { fieldManager: 'convoy' } }],
  ['the controller', { labels: { [LABEL]: 'shop' } }, { userInfo: { username: CONTROLLER } }],
  ['what is being deleted', { labels: { [LABEL]: 'shop' }, deletionTimestamp: '2026-01-01T00:00:00Z' }, {}],
  [
    'what a controller makes for an owner',
    { labels: { [LABEL]: 'shop' }, ownerReferences: [{ kind: 'Service', name: 'web', controller: true }] },
    {},
  ],
  ['a deletion', { labels: { [LABEL]: 'shop' } }, { operation: 'DELETE', object: null }],
])('changes nothing for %s', (_, metadata, request) => {
  expect(patchOf(metadata, request)).toEqual([]);
});

it('stamps a Release and gives it its waves in one patch, as one would undo the other', () => {
  const kind = { group: 'core.convoy.kumodo.io', version: 'v1alpha1', kind: 'Release' };
  const annotations = { 'convoy.kumodo.io/sync': '{"id": "1"}' };
  expect(patchOf({ labels: { [LABEL]: 'shop' }, annotations }, {}, kind)).toEqual([
    { op: 'add', path: '/metadata/annotations/convoy.kumodo.io~1sync-wave', value: '2' },
    { op: 'add', path: '/metadata/annotations/convoy.kumodo.io~1sync-strategy', value: 'waitForApplied' },
    { op: 'add', path: '/metadata/annotations/convoy.kumodo.io~1sync-requested-by', value: 'alice' },
  ]);
});
