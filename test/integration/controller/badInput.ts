import { expect } from 'vitest';
import type { ReleaseSpec } from '../../../api/release.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { condition, documents, NAME, type Releases } from './fixture.ts';

export interface BadInput {
  name: string;
  /** Merge patch of a spec whose source is inline. */
  spec?: object;
  /** Inline source, in place of `spec`. */
  inline?: string;
  reason: string;
  stage: string;
  /** What the message says: where, what, and what to do. `NS` stands for the namespace. */
  says: readonly string[];
  /** Applied says the same, since it speaks of the new render. */
  applied?: boolean;
}

const STANDING = configMapYaml('standing', { render: 'first' });
const MENDED = documents(configMapYaml('standing', { render: 'mended' }), configMapYaml('fresh'));

/** The bad part with objects that could be applied: they must not be. */
export function withGood(bad: string): string {
  return documents(configMapYaml('standing', { render: 'bad' }), configMapYaml('fresh'), bad);
}

/**
 * A Release whose render stands applied gets bad input: it says what is wrong, and nothing changes on the cluster.
 * When the input is mended, it heals.
 */
export async function expectRefused(releases: Releases, bad: BadInput): Promise<void> {
  await releases.create({ source: { inline: STANDING } });
  const before = await releases.ready('Applied');
  const standing = await releases.find('configmaps/standing');

  await releases.patch({ spec: bad.spec ?? { source: { inline: withGood(bad.inline ?? '') } } });
  const after = await releases.ready(bad.reason);

  const says = bad.says.map((part) => part.replaceAll('NS', releases.namespace));
  for (const part of says) expect(readyMessage(after)).toContain(part);
  const message = readyMessage(after);
  expect(condition(after, 'Ready')).toMatchObject({ status: 'False', message });
  expect(after.status?.lastAttempted?.failure).toEqual({ stage: bad.stage, message });
  if (bad.applied === true) {
    expect(condition(after, 'Applied')).toMatchObject({ status: 'False', reason: bad.reason, message });
  } else {
    expect(condition(after, 'Applied')).toEqual(condition(before, 'Applied'));
  }
  expect(after.status?.lastSuccessful).toEqual(before.status?.lastSuccessful);
  expect(after.status?.history).toEqual(before.status?.history);
  expect(await releases.find('configmaps/standing')).toEqual(standing);
  expect(await releases.find('configmaps/fresh')).toBeUndefined();
  await releases.event('Warning', bad.reason, says[0] ?? '');

  await releases.patch({ spec: mended(bad) });
  const healed = await releases.ready('Applied');
  expect(healed.status?.lastAttempted).not.toHaveProperty('failure');
  expect(condition(healed, 'Applied')).toMatchObject({ status: 'True' });
  expect(await releases.find('configmaps/fresh')).toBeDefined();
}

/** Takes back what the bad patch set. */
function mended({ spec = {} }: BadInput): object {
  const cleared = Object.fromEntries(Object.keys(spec).map((field) => [field, null]));
  return { ...cleared, source: { inline: MENDED, configMap: null } };
}

/** The same as the first input of a Release: nothing is applied, and nothing is claimed. */
export async function expectNothingApplied(
  releases: Releases,
  spec: ReleaseSpec,
  reason: string,
): Promise<void> {
  await releases.create(spec, { name: NAME });
  const release = await releases.ready(reason);
  expect(condition(release, 'Applied')).toMatchObject({ status: 'False', reason });
  expect(condition(release, 'Healthy')).toMatchObject({ status: 'Unknown', reason: 'AssessmentUnknown' });
  expect(release.status).not.toHaveProperty('lastSuccessful');
  expect(release.status).not.toHaveProperty('history');
  expect(await releases.inventory()).toEqual([]);
  expect(await releases.find('configmaps/fresh')).toBeUndefined();
}
