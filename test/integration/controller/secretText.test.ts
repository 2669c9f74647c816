import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceOf } from '../../support/wavedObjects.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();

type Values = Record<string, string>;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (fields: object): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys' },
  ...fields,
});

/** What the live Secret holds, as text. */
async function texts(): Promise<Values> {
  const live = await releases.find('secrets/keys');
  const data = (live?.['data'] ?? {}) as Values;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

test.each<[string, { before: object; after: object; live: Values }]>([
  [
    'a key of stringData',
    {
      before: { stringData: { kept: 'one', gone: 'two' } },
      after: { stringData: { kept: 'one' } },
      live: { kept: 'one' },
    },
  ],
  [
    'all of stringData',
    {
      before: { data: { kept: base64('one') }, stringData: { gone: 'two' } },
      after: { data: { kept: base64('one') } },
      live: { kept: 'one' },
    },
  ],
  ['the last key', { before: { stringData: { gone: 'two' } }, after: {}, live: {} }],
  [
    'text over data of the same key',
    {
      before: { data: { key: base64('data') }, stringData: { key: 'text' } },
      after: { data: { key: base64('data') } },
      live: { key: 'data' },
    },
  ],
  [
    'a key that goes from stringData to data, and another one',
    {
      before: { stringData: { moved: 'one', gone: 'two' } },
      after: { data: { moved: base64('one') } },
      live: { moved: 'one' },
    },
  ],
])('%s that is taken out of the source is taken out live', async (_, { before, after, live }) => {
  await releases.create({ source: { inline: sourceOf(secret(before)) } });
  await releases.ready('Applied');
  expect(Object.keys(await texts())).not.toEqual([]);
  await releases.inline(sourceOf(secret(after)));
  await releases.ready('Applied');
  expect(await texts()).toEqual(live);
});

test('a Secret in a List is no exception', async () => {
  const list = (stringData: object): string =>
    sourceOf({ apiVersion: 'v1', kind: 'List', items: [secret({ stringData })] });
  await releases.create({ source: { inline: list({ kept: 'one', gone: 'two' }) } });
  await releases.ready('Applied');
  await releases.inline(list({ kept: 'one' }));
  await releases.ready('Applied');
  expect(await texts()).toEqual({ kept: 'one' });
});

test('nor is text that a mutation brings', async () => {
  const merge = (stringData: object): object => ({
    spec: { mutations: [{ type: 'mergePatch', mergePatch: { stringData }, target: { kind: 'Secret' } }] },
  });
  await releases.create({ source: { inline: sourceOf(secret({ stringData: { kept: 'one' } })) } });
  await releases.ready('Applied');
  await releases.patch(merge({ gone: 'two' }));
  await releases.ready('Applied');
  expect(await texts()).toEqual({ kept: 'one', gone: 'two' });
  await releases.patch({ spec: { mutations: null } });
  await releases.ready('Applied');
  expect(await texts()).toEqual({ kept: 'one' });
});

test('nor is a key that kubectl apply had set before the Release took the Secret over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-secret-'));
  const file = join(folder, 'secret.json');
  await writeFile(file, JSON.stringify(secret({ stringData: { kept: 'one', gone: 'two' } })));
  await releases.cluster.kubectl('apply', '-n', releases.namespace, '-f', file);
  await rm(folder, { recursive: true });
  await releases.create({ source: { inline: sourceOf(secret({ stringData: { kept: 'one' } })) } });
  await releases.ready('Applied');
  expect(await texts()).toEqual({ kept: 'one' });
});

test('what somebody else has added stays', async () => {
  await releases.create({
    source: { inline: sourceOf(secret({ stringData: { kept: 'one', gone: 'two' } })) },
  });
  await releases.ready('Applied');
  const path = `/api/v1/namespaces/${releases.namespace}/secrets/keys?fieldManager=somebody`;
  await releases.cluster.api.must('PATCH', path, { stringData: { theirs: 'three' } });
  await releases.inline(sourceOf(secret({ stringData: { kept: 'one' } })));
  await releases.ready('Applied');
  expect(await texts()).toEqual({ kept: 'one', theirs: 'three' });
});
