import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mutation } from '../../../../api/release.ts';
import { imageText, parseImage } from '../../../../engine/mutations/imageReference.ts';
import { mutated } from './support.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;

test.for([
  ['web', 'web', undefined, undefined],
  ['web:1', 'web', '1', undefined],
  [`web@${DIGEST}`, 'web', undefined, DIGEST],
  [`web:1@${DIGEST}`, 'web', '1', DIGEST],
  ['registry:5000/team/web', 'registry:5000/team/web', undefined, undefined],
  ['registry:5000/team/web:1', 'registry:5000/team/web', '1', undefined],
  [`registry:5000/web:1@${DIGEST}`, 'registry:5000/web', '1', DIGEST],
  ['', '', undefined, undefined],
] as const)('%s is taken apart', ([image, name, tag, digest]) => {
  expect(parseImage(image)).toEqual({ name, tag, digest });
});

test('an image that is taken apart and put together is the same text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '1', ':', '/', '@', '.'), maxLength: 12 });
  fc.assert(fc.property(text, (image) => imageText(parseImage(image)) === image));
});

const pod = (image: unknown) => ({ containers: [{ name: 'a', image }] });
const template = (image: unknown) => ({ template: { spec: pod(image) } });

describe('an images mutation', () => {
  const of = (image: string, change: object) => {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: pod(image) };
    const mutation = { type: 'images', images: [{ name: 'reg:5000/web', ...change }] } as Mutation;
    return mutated([object], [mutation])[0]?.['spec'];
  };

  test.for([
    ['reg:5000/web', { newTag: '2' }, 'reg:5000/web:2'],
    ['reg:5000/web:1', { newTag: '2' }, 'reg:5000/web:2'],
    ['reg:5000/web:1', { newName: 'b' }, 'b:1'],
    [`reg:5000/web:1@${DIGEST}`, { newName: 'b' }, `b:1@${DIGEST}`],
    [`reg:5000/web:1@${DIGEST}`, { newTag: '2' }, 'reg:5000/web:2'],
    ['reg:5000/web:1', { digest: OTHER }, `reg:5000/web@${OTHER}`],
    ['reg:5000/web:1', { newName: 'b', newTag: '2', digest: OTHER }, `b:2@${OTHER}`],
    ['reg:5000/web-api:1', { newTag: '2' }, 'reg:5000/web-api:1'],
    ['web:1', { newTag: '2' }, 'web:1'],
  ] as const)('makes of %s with %j %s', ([image, change, expected]) => {
    expect(of(image, change)).toEqual(pod(expected));
  });

  test('takes each image as the render names it, so that two can be exchanged', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ image: 'a:1' }, { image: 'b:2' }] },
    };
    const images = [
      { name: 'a', newName: 'b' },
      { name: 'b', newName: 'a' },
    ];
    expect(mutated([object], [{ type: 'images', images }])[0]?.['spec']).toEqual({
      containers: [{ image: 'b:1' }, { image: 'a:2' }],
    });
  });

  test.for([
    ['v1', 'Pod', { spec: pod('a') }, { spec: pod('b') }],
    ['v1', 'PodTemplate', template('a'), template('b')],
    ['v1', 'ReplicationController', { spec: template('a') }, { spec: template('b') }],
    ['apps/v1', 'Deployment', { spec: template('a') }, { spec: template('b') }],
    ['apps/v1', 'StatefulSet', { spec: template('a') }, { spec: template('b') }],
    ['apps/v1', 'DaemonSet', { spec: template('a') }, { spec: template('b') }],
    ['apps/v1', 'ReplicaSet', { spec: template('a') }, { spec: template('b') }],
    ['batch/v1', 'Job', { spec: template('a') }, { spec: template('b') }],
    [
      'batch/v1',
      'CronJob',
      { spec: { jobTemplate: { spec: template('a') } } },
      { spec: { jobTemplate: { spec: template('b') } } },
    ],
    ['argoproj.io/v1alpha1', 'Rollout', { spec: template('a') }, { spec: template('b') }],
    ['example.com/v1', 'Pod', { spec: pod('a') }, { spec: pod('a') }],
    ['v1', 'ConfigMap', { data: { image: 'a' } }, { data: { image: 'a' } }],
    ['v1', 'Pod', { spec: pod(7) }, { spec: pod(7) }],
    ['v1', 'Pod', {}, {}],
  ] as const)('finds the containers of %s %s', ([apiVersion, kind, before, after]) => {
    const object = { apiVersion, kind, metadata: { name: 'a' } };
    const images = [{ name: 'a', newName: 'b' }];
    expect(mutated([{ ...object, ...before }], [{ type: 'images', images }])).toEqual([
      { ...object, ...after },
    ]);
  });

  test('changes init and ephemeral containers too', () => {
    const spec = (image: string) => ({
      initContainers: [{ image }],
      containers: [{ image: 'other' }, { image }],
      ephemeralContainers: [{ image }],
    });
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: spec('a') };
    const images = [{ name: 'a', newTag: '2' }];
    expect(mutated([object], [{ type: 'images', images }])[0]?.['spec']).toEqual(spec('a:2'));
  });
});
