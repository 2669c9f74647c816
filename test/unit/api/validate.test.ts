import { beforeAll, describe, expect, it } from 'vitest';
import { validate } from '../../../api/validate.ts';
import { ACCEPTED, REFUSED, convoyObject } from './cases.ts';

const release = (spec: object) => convoyObject('Release', { source: { inline: 'x' }, ...spec });

// The first call loads the schemas, which takes a while on a busy machine.
beforeAll(async () => {
  await validate(release({}));
}, 60_000);

describe('validate', () => {
  it.each(ACCEPTED)('accepts $name', async ({ object }) => {
    expect(await validate(JSON.parse(JSON.stringify(object)))).toEqual([]);
  });

  it.each(REFUSED)('refuses $name', async ({ object, path, message }) => {
    expect(await validate(object)).toEqual([{ path, message }]);
  });

  it.each([
    [
      'a misspelt field',
      release({ intervall: '5m' }),
      'spec.intervall',
      'unknown field; did you mean interval?',
    ],
    [
      'a field far from any other',
      convoyObject('Cluster', { qqq: 1 }),
      'spec.qqq',
      'unknown field; the fields here are kubeconfig, paused',
    ],
    [
      'a misspelt part of the metadata',
      { ...release({}), metadata: { name: 'x', lables: {} } },
      'metadata.lables',
      'unknown field; did you mean labels?',
    ],
    ['a missing field', convoyObject('Release', {}), 'spec.source', 'must be set'],
    ['no spec', { ...release({}), spec: undefined }, 'spec', 'must be set'],
    [
      'a word of no enum',
      release({ syncPolicy: { mode: 'automatic' } }),
      'spec.syncPolicy.mode',
      'is "automatic": must be one of Automatic, Manual; did you mean Automatic?',
    ],
    ['a wrong type', release({ suspend: 'yes' }), 'spec.suspend', 'must be a boolean, is a string'],
    ['a fraction', release({ historyLimit: 1.5 }), 'spec.historyLimit', 'must be an integer, is a number'],
    ['a null', release({ content: null }), 'spec.content', 'must be an object, is null'],
    [
      'no duration',
      release({ interval: '5 minutes' }),
      'spec.interval',
      'is "5 minutes": must be a duration such as 30s, 5m or 1h30m',
    ],
    [
      'a duration that no clock can count',
      release({ interval: '9999999999h' }),
      'spec.interval',
      'must be 1s or longer, for example 10m',
    ],
    ['a history of nothing', release({ historyLimit: 0 }), 'spec.historyLimit', 'is 0: must be 1 or more'],
    ['a history too long', release({ historyLimit: 51 }), 'spec.historyLimit', 'is 51: must be 50 or less'],
    [
      'a wave below the range',
      release({ syncPolicy: { waveStrategy: { wave: -32769 } } }),
      'spec.syncPolicy.waveStrategy.wave',
      'is -32769: must be -32768 or more',
    ],
    [
      'a wave above the range',
      release({ syncPolicy: { waveStrategy: { wave: 32768 } } }),
      'spec.syncPolicy.waveStrategy.wave',
      'is 32768: must be 32767 or less',
    ],
    [
      'no digest',
      release({ pin: { renderRef: 'sha256:abc' } }),
      'spec.pin.renderRef',
      'is "sha256:abc": must be sha256: and 64 hex digits',
    ],
    [
      'two hooks of one name',
      release({
        lifecycleHooks: {
          preSync: [
            { name: 'a', job: {} },
            { name: 'a', job: {} },
          ],
        },
      }),
      'spec.lifecycleHooks.preSync',
      'has two items with name "a"',
    ],
    [
      'a selector of everything',
      convoyObject('Release', { source: { configMap: { selector: {} } } }),
      'spec.source.configMap.selector',
      'must not be empty',
    ],
    [
      'a list too long',
      release({ mutations: Array(65).fill({ type: 'labels', labels: {} }) }),
      'spec.mutations',
      'must have at most 64 items',
    ],
    [
      'another kind',
      { ...release({}), kind: 'Relase' },
      'kind',
      'must be one of Release, Cluster, ReleaseInventory, GlobalHealthRuleSet; did you mean Release?',
    ],
    [
      'a kind named as a part of every object',
      { ...release({}), kind: 'constructor' },
      'kind',
      'must be one of Release, Cluster, ReleaseInventory, GlobalHealthRuleSet',
    ],
    [
      'another group',
      { ...release({}), apiVersion: 'v1' },
      'apiVersion',
      'must be core.convoy.kumodo.io/v1alpha1',
    ],
    ['no object', 'text', '', 'must be an object with apiVersion, kind, metadata and spec'],
  ])('tells of %s', async (_, object, path, message) => {
    expect(await validate(object)).toEqual([{ path, message }]);
  });

  it('collects every problem, in order of path', async () => {
    const problems = await validate(release({ suspend: 1, interval: 'x', historyLimit: 0 }));
    expect(problems.map(({ path }) => path)).toEqual(['spec.historyLimit', 'spec.interval', 'spec.suspend']);
  });

  it('leaves the inside of free-form parts alone', async () => {
    expect(await validate(release({ content: { helm: { values: { anyThing: [null] } } } }))).toEqual([]);
  });

  it('survives hostile nesting', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`) as unknown;
    expect(await validate(release({ source: deep }))).toContainEqual({
      path: 'spec.source',
      message: 'set exactly one of inline, configMap, oci, git, http and flux',
    });
  });
});
