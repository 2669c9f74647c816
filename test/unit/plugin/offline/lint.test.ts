import { describe, expect, it } from 'vitest';
import { plain } from '../../../../plugin/cli/paint.ts';
import { lint } from '../../../../plugin/offline/lint.ts';
import { lintPage } from '../../../../plugin/views/lintPage.ts';
import { NOW } from '../release.ts';

const RELEASE = `
apiVersion: core.convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: shop}
`;
const file = (text: string, path = 'a.yaml') => ({ path, text });
const messages = async (text: string) =>
  (await lint([file(text)], 'apps')).findings.map(({ severity, message }) => `${severity}: ${message}`);

describe('lint', () => {
  it.each([
    ['a Release in order', `${RELEASE}spec: {source: {configMap: {name: shop}}}`, []],
    [
      'a field that there is not',
      `${RELEASE}spec: {suspent: true, source: {configMap: {name: shop}}}`,
      [expect.stringMatching(/^error: spec\.suspent: unknown field.*did you mean suspend/)],
    ],
    [
      'a rule of several fields',
      `${RELEASE}spec: {source: {configMap: {name: shop}}, failurePolicy: {rollback: OnReleaseFailure}}`,
      [expect.stringContaining('needs healthAssessment.deadline')],
    ],
    [
      'inline manifests',
      `${RELEASE}spec: {source: {inline: "{apiVersion: v1, kind: ConfigMap}"}}`,
      [expect.stringMatching(/^error: spec\.source\.inline/)],
    ],
    [
      'what is doubtful',
      `${RELEASE}spec: {source: {configMap: {name: shop}}, healthAssessment: {deadline: 5m}, failurePolicy: {rollback: OnReleaseFailure}}`,
      [expect.stringMatching(/^warning: spec\.failurePolicy\.rollback/)],
    ],
    [
      'an annotation of an object of others',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {convoy.kumodo.io/sync-wave: first}}',
      [expect.stringMatching(/^warning: .*sync-wave/)],
    ],
    ['what is no YAML', 'a: [', [expect.stringMatching(/^error: /)]],
  ])('tells %s', async (_, text, expected: unknown[]) => {
    expect(await messages(text)).toEqual(expected);
  });

  it('counts, and goes on behind a file that cannot be read', async () => {
    const good = file(`${RELEASE}spec: {source: {configMap: {name: shop}}}`, 'b.yaml');
    const report = await lint([file('a: ['), good, file(`${RELEASE}spec: {}`, 'c.yaml')], 'apps');
    const page = lintPage(report, { now: NOW, width: 80, paint: plain });
    expect(page.at(-1)).toBe('2 objects in 3 files: 2 errors, 0 warnings');
    expect(page.some((line) => line.includes('c.yaml') && line.includes('Release shop'))).toBe(true);
    expect(Math.max(...page.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
