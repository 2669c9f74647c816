import { describe, expect, test } from 'vitest';
import { type StoreFlags, storeLocation } from '../../../../controller/store/location.ts';

const located = (store: string, more: Partial<StoreFlags> = {}) =>
  storeLocation({ store, credentialsFile: undefined, plainHttp: false, ...more });

test.each(['secrets', 'none'] as const)('--render-store %s is taken', (kind) => {
  expect(located(kind)).toEqual({ kind });
});

describe('a repository', () => {
  test.each([
    ['oci://registry.example/team/renders', {}, 'https://registry.example'],
    ['oci://registry.example:5000/renders', {}, 'https://registry.example:5000'],
    ['oci://registry.example:5000/renders', { plainHttp: true }, 'http://registry.example:5000'],
    ['oci://localhost:5000/renders', {}, 'http://localhost:5000'],
    ['oci://127.0.0.1:5000/renders', {}, 'http://127.0.0.1:5000'],
    ['oci://127.0.0.1.example/renders', {}, 'https://127.0.0.1.example'],
    ['oci://docker.io/team/renders', {}, 'https://registry-1.docker.io'],
  ])('%s is asked at its origin', (store, flags, origin) => {
    expect(located(store, flags)).toMatchObject({ kind: 'oci', repository: { origin } });
  });

  test.each([
    'oci://registry.example',
    'oci://registry.example/',
    'oci:///renders',
    'oci://registry.example/Renders',
    'oci://registry.example/renders:v1',
    'oci://jo:secret@registry.example/renders',
    'oci://registry.example/renders?x=1',
    'oci://registry.example/a//b',
  ])('%s is refused', (store) => {
    expect(located(store)).toMatchObject({
      problem: expect.stringContaining('it takes oci://HOST/REPOSITORY') as string,
    });
  });
});

test('flags of a registry are refused where there is none, and so is another store', () => {
  expect(located('secrets', { plainHttp: true })).toMatchObject({
    problem: expect.stringContaining('are for a store oci://') as string,
  });
  expect(located('s3')).toEqual({
    problem: '--render-store s3: it takes secrets, none or oci://HOST/REPOSITORY',
  });
});
