import { expect, test } from 'vitest';
import type { Release } from '../../../api/release.ts';
import { LatestReleases } from '../../../controller/latest.ts';

const KEY = 'shop/app';

function release(resourceVersion: string, uid = 'one'): Release {
  const metadata = { name: 'app', namespace: 'shop', uid, resourceVersion };
  return { apiVersion: 'v1', kind: 'Release', metadata, spec: { source: {} } };
}

function latest(written: Release): LatestReleases {
  const releases = new LatestReleases();
  releases.written(KEY, written);
  return releases;
}

test('what was written counts until the watch has told of it', () => {
  const releases = latest(release('10'));
  expect(releases.of(KEY, release('9'))).toEqual(release('10'));
  expect(releases.of(KEY, release('10'))).toEqual(release('10'));
  expect(releases.of(KEY, release('11'))).toEqual(release('11'));
});

test('a later change by somebody else counts', () => {
  expect(latest(release('10')).of(KEY, release('12'))).toEqual(release('12'));
});

test('a Release made anew under the name is another one', () => {
  expect(latest(release('10')).of(KEY, release('9', 'two'))).toEqual(release('9', 'two'));
});

test('one that is gone is gone', () => {
  expect(latest(release('10')).of(KEY, undefined)).toBeUndefined();
});

test('nothing is known of one that was not written', () => {
  expect(new LatestReleases().of(KEY, release('9'))).toEqual(release('9'));
});
