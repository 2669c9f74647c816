import { expect, test } from 'vitest';
import { readyMessage } from '../../support/releases.ts';
import { sourceOf } from '../../support/wavedObjects.ts';
import { type BadInput, expectRefused, withGood } from './badInput.ts';
import { documents, NAME, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const releases = useReleases();

const LABELS = { app: 'web' };

function deployment(spec: object, container: object = {}): string {
  const containers = [{ name: 'main', image: 'registry.example/main:1', ...container }];
  const template = { metadata: { labels: LABELS }, spec: { containers } };
  return sourceOf({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: LABELS }, template, ...spec },
  });
}

/** What is wrong, and the path that the message names. */
const BUILT_IN: readonly [name: string, inline: string, path: string][] = [
  ['in the spec', deployment({ replicsa: 2 }), '.spec.replicsa'],
  [
    'deep in a list',
    deployment({}, { imagePullPolice: 'Always' }),
    '.spec.template.spec.containers[name="main"].imagePullPolice',
  ],
  ['of the wrong type', deployment({ replicas: 'two' }), '.spec.replicas'],
  [
    'in the metadata',
    sourceOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', lables: LABELS } }),
    '.metadata.lables',
  ],
  [
    'at the top',
    sourceOf({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web' }, datas: { a: 'YQ==' } }),
    '.datas',
  ],
];

test.each(BUILT_IN)('a misspelt field %s of a built-in kind is refused with its path', (name, inline, path) =>
  expectRefused(releases, refused(name, inline, path)),
);

const refused = (name: string, inline: string, path: string): BadInput => ({
  name,
  inline,
  reason: 'DryRunFailed',
  stage: 'DryRun',
  says: [path, 'correct the name', 'nothing was applied'],
  applied: true,
});

/** A CRD with a list, of another Release; its instance shows that the controller knows the type. */
async function boatType(): Promise<string> {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const crew = 'crew: {type: array, items: {type: object, properties: {name: {type: string}}}}';
  const crd = boatCrdYaml(group).replace('masts: {type: integer}', `masts: {type: integer}, ${crew}`);
  await releases.create({ source: { inline: documents(crd, boatYaml(group, 'first')) } }, { name: 'types' });
  await releases.ready('Applied', 'types');
  return group;
}

/** The cluster is every test's: types do not go with the namespace. */
async function remove(...names: string[]): Promise<void> {
  await releases.cluster.kubectl('delete', 'release', ...names, '-n', releases.namespace, '--timeout=40s');
}

const CUSTOM: readonly [name: string, spec: string, path: string][] = [
  ['in the spec', '{mats: 3}', '.spec.mats'],
  ['deep in a list', '{crew: [{nmae: Ann}]}', '.spec.crew[0].nmae'],
  ['of the wrong type', '{masts: three}', '.spec.masts'],
];

test.each(CUSTOM)(
  'a misspelt field %s of a custom resource is refused with its path',
  async (name, spec, path) => {
    const group = await boatType();
    await expectRefused(releases, refused(name, boatYaml(group, 'ferry', spec), path));
    await remove(NAME, 'types');
  },
);

test('at the top of a custom resource too, and in its first render', async () => {
  const group = await boatType();
  const inline = withGood(boatYaml(group, 'ferry').replace('spec:', 'specs:'));
  await releases.create({ source: { inline } });
  expect(readyMessage(await releases.ready('DryRunFailed'))).toContain('.specs');
  expect(await releases.find('configmaps/fresh')).toBeUndefined();
  await remove(NAME, 'types');
});

test('one of a custom resource whose type comes with it is told with its path when the type is there', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const source = (spec: string): string => documents(boatCrdYaml(group), boatYaml(group, 'ferry', spec));
  await releases.create({ source: { inline: source('{mats: 3}') } });
  const failed = await releases.ready('ApplyFailed');
  expect(readyMessage(failed)).toContain(`${group}/Boat ferry in ${releases.namespace}: .spec.mats`);
  expect(readyMessage(failed)).toContain('correct the name');
  await releases.inline(source('{masts: 3}'));
  await releases.ready('Applied');
  // The type stands by now, so the dry run can tell.
  await releases.inline(source('{mats: 4}'));
  expect(readyMessage(await releases.ready('DryRunFailed'))).toContain('.spec.mats');
  expect((await releases.find('boats/ferry', `/apis/${group}/v1`))?.['spec']).toEqual({ masts: 3 });
  await remove(NAME);
});
