import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plant, runCheck, TOOL_TIMEOUT_MS } from './tree.ts';

it(
  'finds generated files that were edited, and schemas that changed since',
  async () => {
    const root = await plant({}, ['api', 'engine', 'manifests', 'docs']);
    expect(await runCheck(root, 'generated')).toEqual({ code: 0, output: '' });

    await appendFile(join(root, 'manifests/crds/releases.yaml'), '# edited\n');
    const edited = await runCheck(root, 'generated');
    expect(edited.code).not.toBe(0);
    expect(edited.output).toContain('manifests/crds/releases.yaml');
    expect(edited.output).not.toContain('clusters.yaml');

    const source = join(root, 'api/cluster.ts');
    await writeFile(
      source,
      (await readFile(source, 'utf8')).replaceAll("shortName: 'ccl'", "shortName: 'clu'"),
    );
    expect((await runCheck(root, 'generated')).output).toContain('manifests/crds/clusters.yaml');
  },
  TOOL_TIMEOUT_MS,
);
