import { describe, expect, test } from 'vitest';
import { UNAVAILABLE_FIELDS } from '../../../api/available.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { expectNothingApplied, expectRefused } from './badInput.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();

const FAILED = { reason: 'Unsupported', stage: 'Render', applied: true } as const;

/** A patch for each field that is not available, by its path. */
const FIELDS: Readonly<Record<string, object>> = {
  'source.oci': { source: { inline: null, oci: { url: 'oci://registry.example/app', tag: 'v1' } } },
  'source.git': { source: { inline: null, git: { url: 'https://git.example/app', branch: 'main' } } },
  'source.http': { source: { inline: null, http: { url: 'https://files.example/app.tar.gz' } } },
  'source.flux': { source: { inline: null, flux: { kind: 'GitRepository', name: 'app' } } },
  'content.type': { content: { type: 'kustomize' } },
  'content.helm': { content: { helm: { releaseName: 'app' } } },
  'healthAssessment.report': {
    healthAssessment: { report: { podSelector: { matchLabels: { app: 'web' } }, port: 8080 } },
  },
};

test('every field that is not available is tried here', () => {
  expect(Object.keys(FIELDS).sort()).toEqual(UNAVAILABLE_FIELDS.map(({ path }) => path).sort());
});

describe('a Release that gets', () => {
  test('several of them at once names each, changes nothing, and heals when they are taken out', () =>
    expectRefused(releases, {
      ...FAILED,
      name: 'several',
      spec: {
        ...FIELDS['content.type'],
        ...FIELDS['healthAssessment.report'],
      },
      says: [
        'spec.content.type: not available yet',
        'spec.healthAssessment.report: not available yet (reports of pods)',
      ],
    }));
});

test('each field says that it is not available yet, and nothing is applied meanwhile', async () => {
  for (const [path, spec] of Object.entries(FIELDS)) {
    const name = path.toLowerCase();
    await releases.create({ source: { inline: configMapYaml('fresh') }, suspend: true }, { name });
    await releases.patch({ spec: { ...spec, suspend: false } }, name);
    const release = await releases.ready('Unsupported', name);
    expect(readyMessage(release)).toContain(`spec.${path}: not available yet`);
  }
  expect(await releases.find('configmaps/fresh')).toBeUndefined();
});

test('a new Release for a Cluster that does not exist applies nothing to this one', () =>
  expectNothingApplied(
    releases,
    { source: { inline: configMapYaml('fresh') }, clusterRef: { name: 'prod' } },
    'ClusterUnavailable',
  ));
