import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANNOTATION_DOCS } from '../../../api/annotations.ts';
import { REASONS } from '../../../api/conditions.ts';
import { apiReference } from '../../../api/docs.ts';
import { generatedFiles, outdatedFiles } from '../../../manifests/generate.ts';

const root = join(import.meta.dirname, '../../..');

describe('generated files', () => {
  let copy: string;
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'convoy-generated-'));
    await cp(join(root, 'manifests/crds'), join(copy, 'manifests/crds'), { recursive: true });
    await cp(join(root, 'manifests/install'), join(copy, 'manifests/install'), { recursive: true });
    for (const page of ['docs/api.md', 'docs/health-rules.md']) await cp(join(root, page), join(copy, page));
  });
  afterEach(async () => {
    await rm(copy, { recursive: true });
  });

  it('are current', async () => {
    expect(await outdatedFiles(root)).toEqual([]);
  });

  it('are found outdated where one was edited, is missing, or is left over', async () => {
    await writeFile(join(copy, 'docs/api.md'), 'edited');
    await rm(join(copy, 'manifests/crds/clusters.yaml'));
    await writeFile(join(copy, 'manifests/crds/gone.yaml'), '');
    expect((await outdatedFiles(copy)).sort()).toEqual([
      'docs/api.md',
      'manifests/crds/clusters.yaml',
      'manifests/crds/gone.yaml',
    ]);
  });

  it('have a CRD for each kind, the reference, the health rules, and the registration of the webhook', () => {
    expect([...generatedFiles().keys()]).toEqual([
      'manifests/crds/releases.yaml',
      'manifests/crds/clusters.yaml',
      'manifests/crds/releaseinventories.yaml',
      'manifests/crds/globalhealthrulesets.yaml',
      'docs/api.md',
      'docs/health-rules.md',
      'manifests/install/webhook/configurations.yaml',
    ]);
  });
});

describe('the API reference', () => {
  const text = apiReference();

  it('names every reason and every annotation', () => {
    const names = [
      ...Object.values(REASONS).flatMap((reasons) => Object.keys(reasons)),
      ...ANNOTATION_DOCS.map(({ name }) => name),
    ];
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('has only tables whose rows are as wide as their heads', () => {
    const cells = (line: string) => line.replaceAll('\\|', '').split('|').length;
    const lines = text.split('\n');
    const crooked = lines.filter((line, index) => {
      const previous = lines[index - 1] ?? '';
      return line.startsWith('|') && previous.startsWith('|') && cells(line) !== cells(previous);
    });
    expect(crooked).toEqual([]);
  });
});
