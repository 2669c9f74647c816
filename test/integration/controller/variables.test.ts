import { describe, expect, test } from 'vitest';
import { CANARY } from '../../support/canary.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { documents, NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const SOURCE = configMapYaml('web', { image: 'shop:${version}', tier: '${tier:=back}', text: '$${version}' });
const FROM = { kind: 'ConfigMap', name: 'vars' } as const;

const dataOf = async (name: string): Promise<unknown> =>
  (await releases.find(`configmaps/${name}`))?.['data'];

async function createSecret(name: string, stringData: Record<string, string>): Promise<void> {
  const path = `/api/v1/namespaces/${releases.namespace}/secrets`;
  await releases.cluster.api.must('POST', path, { metadata: { name }, stringData });
}

async function untilImage(image: string): Promise<void> {
  const path = `/api/v1/namespaces/${releases.namespace}/configmaps`;
  await releases.cluster.api.waitForNamed(
    path,
    'web',
    ({ data }) => (data as Record<string, string>)['image'] === image,
  );
}

test('values and defaults are put in, and escaped references stay', async () => {
  await releases.create({ source: { inline: SOURCE }, content: { variables: { version: '1' } } });
  await releases.ready('Applied');
  expect(await dataOf('web')).toEqual({ image: 'shop:1', tier: 'back', text: '${version}' });
});

test('without variables the source stays as it is', async () => {
  await releases.create({ source: { inline: SOURCE } });
  await releases.ready('Applied');
  expect(await dataOf('web')).toEqual({
    image: 'shop:${version}',
    tier: '${tier:=back}',
    text: '$${version}',
  });
});

test('a name without a value is told with its line, and nothing is applied', async () => {
  const source = documents(configMapYaml('own'), configMapYaml('web', { a: '${first}', b: '${second}' }));
  await releases.create({ source: { inline: source }, content: { variables: { third: '' } } });
  const message = readyMessage(await releases.ready('RenderFailed'));
  expect(message).toContain('inline.yaml:11: the variable first has no value');
  expect(message).toContain('inline.yaml:12: the variable second has no value');
  expect(await releases.find('configmaps/own')).toBeUndefined();
});

describe('variables of ConfigMaps and Secrets', () => {
  test('are overridden by later ones, and by those of the Release', async () => {
    await releases.createConfigMap('vars', { data: { a: 'map', b: 'map', c: 'map' } });
    await createSecret('secret', { b: 'secret', c: 'secret' });
    await releases.create({
      source: { inline: configMapYaml('web', { a: '${a}', b: '${b}', c: '${c}' }) },
      content: { variablesFrom: [FROM, { kind: 'Secret', name: 'secret' }], variables: { c: 'own' } },
    });
    await releases.ready('Applied');
    expect(await dataOf('web')).toEqual({ a: 'map', b: 'secret', c: 'own' });
  });

  test('are watched: a change is applied at once', async () => {
    await releases.createConfigMap('vars', { data: { version: '1' } });
    await createSecret('secret', { tier: 'front' });
    await releases.create({
      source: { inline: SOURCE },
      content: { variablesFrom: [FROM, { kind: 'Secret', name: 'secret' }] },
    });
    await untilImage('shop:1');
    await releases.patchConfigMap('vars', { data: { version: '2' } });
    await untilImage('shop:2');
    const secret = `/api/v1/namespaces/${releases.namespace}/secrets/secret`;
    await releases.cluster.api.must('PATCH', secret, { stringData: { version: '3' } });
    await untilImage('shop:3');
  });

  test('that do not exist are told, and awaited', async () => {
    await releases.create({ source: { inline: SOURCE }, content: { variablesFrom: [FROM] } });
    const message = readyMessage(await releases.ready('SourceFailed'));
    expect(message).toContain(
      `ConfigMap vars in ${releases.namespace}, which spec.content.variablesFrom names,`,
    );
    await releases.createConfigMap('vars', { data: { version: '1' } });
    await releases.ready('Applied');
  });

  test('may be missing where that is said', async () => {
    await releases.create({
      source: { inline: configMapYaml('web', { tier: '${tier:=back}' }) },
      content: { variablesFrom: [{ ...FROM, optional: true }] },
    });
    await releases.ready('Applied');
    expect(await dataOf('web')).toEqual({ tier: 'back' });
  });
});

test('a value of a Secret is in no message, also where the API server quotes it', async () => {
  await createSecret('secret', { password: `${CANARY}_!` });
  await releases.create({
    source: { inline: configMapYaml('${password}') },
    content: { variablesFrom: [{ kind: 'Secret', name: 'secret' }] },
  });
  const release = await releases.ready('DryRunFailed');
  expect(readyMessage(release)).toContain('(a value from a Secret)');
  const events = await releases.cluster.api.must(
    'GET',
    `/apis/events.k8s.io/v1/namespaces/${releases.namespace}/events`,
  );
  expect(JSON.stringify([release, events])).not.toContain(CANARY);
  expect(await releases.find(`configmaps/${NAME}`)).toBeUndefined();
});
