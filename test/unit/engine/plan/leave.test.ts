import { expect, test } from 'vitest';
import type { KubeObject, ObjectMeta } from '../../../../api/object.ts';
import type { Release } from '../../../../api/release.ts';
import { reasonToLeave } from '../../../../engine/plan/leave.ts';

const RELEASE = {
  apiVersion: 'core.convoy.kumodo.io/v1alpha1',
  kind: 'Release',
  metadata: { name: 'app', namespace: 'apps', uid: 'release' },
  spec: { source: { inline: '' } },
} as Release;

const ours = { 'convoy.kumodo.io/release': 'app', 'convoy.kumodo.io/release-namespace': 'apps' };
const theirs = { ...ours, 'convoy.kumodo.io/release': 'other' };
const applied = [{ manager: 'convoy' }];
const byHand = [{ manager: 'kubectl-create' }];

function live(metadata: Partial<ObjectMeta>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', uid: 'live', ...metadata } };
}

test.each<[string, Partial<ObjectMeta>, string | undefined, RegExp | undefined]>([
  ['applied, labelled and known', { labels: ours, managedFields: applied }, 'live', undefined],
  [
    'applied and labelled, listed before its apply',
    { labels: ours, managedFields: applied },
    undefined,
    undefined,
  ],
  ['applied and labelled, under another UID', { labels: ours, managedFields: applied }, 'old', undefined],
  ['applied and known, without labels', { managedFields: applied }, 'live', undefined],
  ['applied, without labels and UID', { managedFields: applied }, undefined, /not applied by this Release/],
  ['applied, without labels, under another UID', { managedFields: applied }, 'old', /made anew/],
  ['a copy with its labels', { labels: ours, managedFields: byHand }, undefined, /not applied by this/],
  [
    'a copy with its labels, written in as known',
    { labels: ours, managedFields: byHand },
    'live',
    /never applied/,
  ],
  ['a copy with its labels, in its place', { labels: ours, managedFields: byHand }, 'old', /made anew/],
  ['of somebody else, written in as known', { managedFields: byHand }, 'live', /never applied/],
  [
    'of another Release, written in as known',
    { labels: theirs, managedFields: applied },
    'live',
    /another Release/,
  ],
  [
    'annotated',
    { labels: ours, managedFields: applied, annotations: { 'convoy.kumodo.io/prune': 'disabled' } },
    'live',
    /prune: disabled/,
  ],
  ['the Release itself', { uid: 'release', managedFields: applied }, 'release', /this Release itself/],
])('an object that is %s', (_, metadata, uid, left) => {
  const why = reasonToLeave(live(metadata), RELEASE, uid === undefined ? {} : { uid });
  if (left === undefined) expect(why).toBeUndefined();
  else expect(why).toMatch(left);
});
