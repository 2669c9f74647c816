import { describe, expect, test } from 'vitest';
import { keyString } from '../../../../api/object.ts';
import { backendsOf } from '../../../../engine/plan/backends.ts';
import { sketch } from './support.ts';

const GUARD = { group: '', kind: 'Service', namespace: 'shop', name: 'guard' };
const WAVES = new Map([[keyString(GUARD), 1]]);
const SERVICE = { name: 'guard', namespace: 'shop' };

function webhooks(...clientConfigs: unknown[]) {
  const configuration = sketch({
    group: 'admissionregistration.k8s.io',
    kind: 'MutatingWebhookConfiguration',
  });
  return { ...configuration, webhooks: clientConfigs.map((clientConfig) => ({ clientConfig })) };
}

function apiService(spec: unknown) {
  return sketch({ group: 'apiregistration.k8s.io', kind: 'APIService', spec });
}

describe('the Services behind a late object (waves.md, "In a wave")', () => {
  test.each([
    ['a webhook', webhooks({ service: SERVICE })],
    ['several webhooks of one Service', webhooks({ service: SERVICE }, { service: SERVICE })],
    ['an APIService', apiService({ service: SERVICE })],
  ])('%s waits for the Service that the render brings', (_, object) => {
    expect(backendsOf(object, 1, WAVES)).toEqual([GUARD]);
    expect(backendsOf(object, 2, WAVES)).toEqual([GUARD]);
  });

  test.each([
    ['a Service of a later wave, which would never come', webhooks({ service: SERVICE }), 0],
    ['a Service that the render does not bring', webhooks({ service: { ...SERVICE, name: 'other' } }), 1],
    ['a webhook by URL', webhooks({ url: 'https://guard.example.com' }), 1],
    ['an APIService that the API server serves itself', apiService({}), 1],
    [
      'a Service of that name for something else',
      sketch({ kind: 'ConfigMap', spec: { service: SERVICE } }),
      1,
    ],
    ['what is no configuration at all', { ...webhooks(), webhooks: 'none' }, 1],
    ['a reference that is none', webhooks({ service: 7 }, null), 1],
  ])('nothing waits for %s', (_, object, wave) => {
    expect(backendsOf(object, wave, WAVES)).toEqual([]);
  });
});
