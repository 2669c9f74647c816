import { describe, expect, it } from 'vitest';
import { AVAILABLE_FIELDS, UNAVAILABLE_FIELDS, unsupportedFields } from '../../../api/available.ts';
import { releaseSpec } from '../../../api/releaseSpec.ts';

interface Schema {
  properties?: Record<string, Schema>;
}

const listed = [...AVAILABLE_FIELDS, ...UNAVAILABLE_FIELDS.map(({ path }) => path)];

/** The fields of the schema that no entry of the two lists covers. */
function uncovered(schema: Schema, path = ''): string[] {
  if (listed.includes(path)) return [];
  const below = Object.entries(schema.properties ?? {});
  if (below.length === 0) return [path];
  return below.flatMap(([name, field]) => uncovered(field, path === '' ? name : `${path}.${name}`));
}

function exists(path: string): boolean {
  const found = path
    .split('.')
    .reduce<Schema | undefined>((at, name) => at?.properties?.[name], releaseSpec as Schema);
  return found !== undefined;
}

const INLINE = { inline: 'x' };

describe('the table of what is available', () => {
  it('has every field of the Release’s spec', () => {
    expect(uncovered(releaseSpec as Schema)).toEqual([]);
  });

  it('has each once, and none that does not exist', () => {
    expect(listed.filter((path, index) => listed.indexOf(path) !== index)).toEqual([]);
    expect(listed.filter((path) => !exists(path))).toEqual([]);
  });
});

describe('unsupportedFields', () => {
  it('passes what this version does, and defaults written out', () => {
    const spec = {
      source: { configMap: { selector: { matchLabels: { a: 'b' } } } },
      content: {
        path: './deploy',
        type: 'yaml',
        variables: { a: 'b' },
        variablesFrom: [{ kind: 'Secret', name: 'a' }],
      },
      targetNamespace: 'shop',
      interval: '1m',
      suspend: true,
      mutations: [{ type: 'labels', labels: { tier: 'web' } }],
      syncPolicy: {
        mode: 'Automatic',
        defaultStrategy: 'waitForHealthy',
        waveStrategy: { wave: 3, strategy: 'waitForHealthyWithTimeout', timeout: '5m' },
        prune: { orphaned: true },
        deletionPolicy: 'Delete',
      },
      lifecycleHooks: { preSync: [], postSync: [] },
      historyLimit: 3,
    };
    expect(unsupportedFields(spec)).toEqual([]);
  });

  it.each([
    ['source.oci', { source: { oci: { url: 'oci://a/b', tag: 'v1' } } }],
    ['source.git', { source: { git: { url: 'https://a/b', branch: 'main' } } }],
    ['source.http', { source: { http: { url: 'https://a/b' } } }],
    ['source.flux', { source: { flux: { kind: 'Bucket', name: 'a' } } }],
    ['content.type', { content: { type: 'helm' } }],
    ['content.helm', { content: { helm: {} } }],
    ['healthAssessment.report', { healthAssessment: { report: { port: 8080 } } }],
  ])('names %s', (path, spec) => {
    expect(unsupportedFields({ source: INLINE, ...spec })).toEqual([
      expect.stringMatching(
        new RegExp(`^spec\\.${path.replaceAll('.', '\\.')}: not available yet \\(.+\\)$`),
      ),
    ]);
  });

  it('names all of them', () => {
    expect(unsupportedFields({ source: INLINE, content: { type: 'helm', helm: {} } })).toHaveLength(2);
  });
});
