import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plant, ROOT, runCheck, TOOL_TIMEOUT_MS } from './tree.ts';

const HOUSE = ['api', 'engine', 'kube', 'controller', 'plugin', 'manifests', 'test', 'vitest.config.ts'];

it(
  'finds a file, an export and a package that nothing uses',
  async () => {
    const object = await readFile(join(ROOT, 'api/object.ts'), 'utf8');
    const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
    const root = await plant(
      {
        'engine/forgotten.ts': 'export const forgotten = 1;\n',
        'api/object.ts': `${object}\nexport const plantedExport = 1;\n`,
        'package.json': manifest.replace('"dependencies": {', '"dependencies": {\n    "picomatch": "4.0.3",'),
      },
      HOUSE,
    );
    const { code, output } = await runCheck(root, 'deadcode');
    expect(code).not.toBe(0);
    expect(output).toMatch(/Unused files[^]*^engine\/forgotten\.ts/m);
    expect(output).toMatch(/^plantedExport +api\/object\.ts/m);
    expect(output).toMatch(/Unused dependencies[^]*^picomatch +package\.json/m);
  },
  TOOL_TIMEOUT_MS,
);
