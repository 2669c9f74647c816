import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { objectsText, objectText } from '../../../../plugin/cli/printObjects.ts';

const OBJECT = {
  apiVersion: 'core.convoy.kumodo.io/v1alpha1',
  kind: 'Release',
  metadata: { name: 'web', managedFields: [{ manager: 'x' }], labels: { on: 'yes', octal: '0644' } },
  spec: { text: 'a\nb\n', long: 'x '.repeat(200) },
};
const SHOWN = { ...OBJECT, metadata: { name: 'web', labels: OBJECT.metadata.labels } };

describe('objects as data', () => {
  it('are JSON without managed fields', async () => {
    expect(JSON.parse(await objectText(OBJECT, 'json'))).toEqual(SHOWN);
  });

  it('are YAML that a YAML 1.1 reader takes for the same', async () => {
    const text = await objectText(OBJECT, 'yaml');
    expect(parse(text, { version: '1.1' })).toEqual(SHOWN);
    expect(text).toContain('    text: |\n      a\n      b\n'.replace(/^ {2}/gm, ''));
  });

  it('are names', async () => {
    expect(await objectText(OBJECT, 'name')).toBe('release.core.convoy.kumodo.io/web\n');
    const core = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    expect(await objectsText([OBJECT, core], 'name')).toBe(
      'release.core.convoy.kumodo.io/web\nconfigmap/a\n',
    );
  });

  it('are a List where there may be several', async () => {
    expect(JSON.parse(await objectsText([OBJECT], 'json'))).toEqual({
      apiVersion: 'v1',
      kind: 'List',
      metadata: {},
      items: [SHOWN],
    });
  });
});
