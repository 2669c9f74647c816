import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Release } from '../../../api/release.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { deploymentIn, type Fate, sourceOf } from '../../support/wavedObjects.ts';
import { condition, useReleases } from './fixture.ts';

const releases = useReleases();

/** Of an API server's limit of 1 MiB for the data of a ConfigMap. */
const PART_BYTES = 720_000;
const PARTS = 6;
/** A store that holds renders in Secrets cuts them at 768 KiB. */
const LEAST_CHUNKS = 4;

const TYPE = 'convoy.kumodo.io/render';
const SOURCE = { configMap: { selector: { matchLabels: { part: 'of-large' } } } };

/** Letters that no compression makes smaller than three quarters. */
const noise = (): string => randomBytes((PART_BYTES * 3) / 4).toString('base64');

const partName = (index: number): string => `large-${index}`;
const parts = Array.from({ length: PARTS }, (_, index) => partName(index));

/** The data of the first ConfigMap of the source: the first large one, and the Deployment whose pods fare like this. */
const head = (text: string, fate?: Fate): object => ({
  data: {
    'part.yaml': configMapYaml(partName(0), { text }),
    'store.yaml': sourceOf(deploymentIn({ wave: 0 }, 'store', fate)),
  },
});

/** The source: ConfigMaps with one large ConfigMap each. */
async function source(texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const content =
      index === 0 ? head(text) : { data: { 'part.yaml': configMapYaml(partName(index), { text }) } };
    await releases.createConfigMap(`source-${index}`, content, { part: 'of-large' });
  }
}

/**
 * A version that differs in the first large ConfigMap and in its pods. It is one write: two would be two versions,
 * the first of which becomes healthy.
 */
async function changeTo(text: string, fate: Fate): Promise<void> {
  await releases.patchConfigMap('source-0', head(text, fate));
}

const secretsPath = (name = ''): string =>
  `/api/v1/namespaces/${releases.namespace}/secrets${name && `/${name}`}`;

/** The Secrets that hold a render, in order. */
async function chunksOf(renderRef = ''): Promise<ApiObject[]> {
  const { items } = (await releases.cluster.api.must('GET', secretsPath())) as unknown as {
    items: ApiObject[];
  };
  return items.filter(
    (secret) => secret['type'] === TYPE && secret.metadata.name.includes(renderRef.slice('sha256:'.length)),
  );
}

/** What is immutable can be changed by making it anew alone. */
async function corrupt({ metadata: { name } }: ApiObject): Promise<void> {
  await releases.cluster.api.must('DELETE', secretsPath(name));
  await releases.cluster.api.must('PATCH', secretsPath(name), { metadata: { finalizers: null } });
  const data = { render: randomBytes(1000).toString('base64') };
  await releases.cluster.api.must('POST', secretsPath(), { metadata: { name }, type: TYPE, data });
}

const textOf = async (name: string): Promise<unknown> => {
  const { text } = ((await releases.find(`configmaps/${name}`))?.['data'] ?? {}) as { text?: string };
  return text;
};

/** Versions of all that the Release applies, which any write of it would change; pods change the Deployment's status. */
async function versions(): Promise<unknown[]> {
  const maps = await Promise.all(parts.map((name) => releases.find(`configmaps/${name}`)));
  const store = await releases.find('deployments/store', '/apis/apps/v1');
  return [...maps.map((map) => map?.metadata.resourceVersion), store?.metadata['generation']];
}

const stateIs =
  (state: string, renderRef?: string) =>
  ({ status }: Release): boolean =>
    status?.rollout?.state === state && status.rollout.renderRef !== renderRef;

/** The first version, healthy and kept in several Secrets. @returns its digest, and the text of its first part */
async function shipped(): Promise<{ renderRef: string; first: string }> {
  const texts = parts.map(noise);
  await source(texts);
  await releases.create({
    source: SOURCE,
    healthAssessment: { deadline: '4s' },
    failurePolicy: { rollback: 'OnReleaseFailure' },
  });
  const { status } = await releases.until(stateIs('Succeeded'));
  const renderRef = status?.lastHealthy?.renderRef ?? '';
  const chunks = await chunksOf(renderRef);
  expect(chunks.length).toBeGreaterThanOrEqual(LEAST_CHUNKS);
  const stored = chunks.map(({ data }) => Buffer.from((data as { render: string }).render, 'base64').length);
  expect(stored.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(3_000_000);
  return { renderRef, first: texts[0] ?? '' };
}

test('a render of 3 MB, kept in several Secrets, is gone back to', async () => {
  const { renderRef, first } = await shipped();
  const second = noise();
  await changeTo(second, { fail: 'crash' });
  const back = await releases.until(stateIs('RolledBack', renderRef));
  expect(condition(back, 'Applied')).toMatchObject({ status: 'True', reason: 'RolledBack' });
  expect(back.status?.lastSuccessful?.renderRef).toBe(renderRef);
  expect(await textOf(partName(0))).toBe(first);
});

test('a render of 3 MB with a chunk that is corrupt is told clearly, and nothing of it is applied', async () => {
  const { renderRef } = await shipped();
  const [, , third] = await chunksOf(renderRef);
  if (third === undefined) throw new Error('the render has no third chunk');
  await corrupt(third);
  const second = noise();
  await changeTo(second, { fail: 'crash' });
  await releases.until(stateIs('Progressing', renderRef));
  await expect.poll(() => textOf(partName(0))).toBe(second);
  const before = await versions();

  const failed = await releases.until(stateIs('Failed', renderRef));
  const { message } = failed.status?.rollout ?? {};
  expect(message).toContain('release did not become healthy within 4s; it is not rolled back: ');
  expect(message).toContain(`render ${renderRef}: what the render store holds is corrupt`);
  expect(message).toContain('it is not applied. Sync the source that it came from, or pin another render');
  await releases.event('Warning', 'RolloutFailed', 'what the render store holds is corrupt');
  expect(await versions()).toEqual(before);

  // A pin to it is refused for the same reason.
  await releases.patch({ spec: { pin: { renderRef } } });
  expect(readyMessage(await releases.ready('RenderFailed'))).toContain(
    `render ${renderRef}: what the render store`,
  );
  expect(await versions()).toEqual(before);
});
