import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { sameContent } from '../../../../engine/drift/sameContent.ts';

const LIVE: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web', labels: { app: 'web' }, resourceVersion: '7', generation: 2 },
  data: { color: 'green' },
  status: { seen: true },
};

const but = (changes: object, metadata: object = {}): KubeObject => ({
  ...LIVE,
  ...changes,
  metadata: { ...LIVE.metadata, ...metadata },
});

test.each<[string, KubeObject, boolean]>([
  ['itself', LIVE, true],
  [
    'who has written it, and when',
    but({}, { managedFields: [{}], resourceVersion: '8', generation: 3 }),
    true,
  ],
  ['its status', but({ status: { seen: false } }), true],
  ['a value', but({ data: { color: 'red' } }), false],
  ['a field more', but({ data: { color: 'green', size: '1' } }), false],
  ['a label', but({}, { labels: { app: 'other' } }), false],
])('%s', (_, other, same) => {
  expect(sameContent(LIVE, other)).toBe(same);
});
