import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plant, ROOT, runCheck, TOOL_TIMEOUT_MS } from './tree.ts';

const FOLDERS = ['api', 'engine', 'kube', 'controller', 'webhook', 'plugin', 'manifests', 'test'];

/** One file in each folder, each importing what the house allows. */
const CLEAN = {
  'api/a.ts': 'export const a = 1;\n',
  'engine/a.ts':
    "import { createHash } from 'node:crypto';\nexport { a } from '../api/a.ts';\nexport { createHash };\n",
  'kube/a.ts': "export { a } from '../api/a.ts';\nexport { Pool } from 'undici';\n",
  'controller/a.ts': "export { a } from '../engine/a.ts';\nexport { Pool } from '../kube/a.ts';\n",
  'webhook/a.ts': "export { a } from '../engine/a.ts';\n",
  'plugin/a.ts': "export { a } from '../kube/a.ts';\n",
  'manifests/a.ts': "export { a } from '../api/a.ts';\n",
  'test/a.ts': "export { a } from '../controller/a.ts';\nexport { test } from 'vitest';\n",
};

const PLANTED: Readonly<Record<string, readonly [rule: string, text: string]>> = {
  'api/engine.ts': ['api-stays-below', "export { a } from '../engine/a.ts';\n"],
  'engine/kube.ts': ['engine-stays-below', "export { a } from '../kube/a.ts';\n"],
  'engine/type.ts': [
    'engine-stays-below',
    "import type { a } from '../kube/a.ts';\nexport type A = typeof a;\n",
  ],
  'kube/engine.ts': ['kube-stays-below', "export { a } from '../engine/a.ts';\n"],
  'kube/program.ts': ['kube-stays-below', "export { a } from '../controller/a.ts';\n"],
  'controller/plugin.ts': ['controller-is-alone', "export { a } from '../plugin/a.ts';\n"],
  'webhook/test.ts': ['webhook-is-alone', "export { a } from '../test/a.ts';\n"],
  'plugin/controller.ts': ['plugin-is-alone', "export const later = import('../controller/a.ts');\n"],
  'manifests/controller.ts': ['manifests-from-libraries', "export { a } from '../controller/a.ts';\n"],
  'engine/file.ts': ['pure', "export { readFile } from 'node:fs/promises';\n"],
  'api/env.ts': ['pure', "export { env } from 'node:process';\n"],
  'kube/dev.ts': ['shipped', "export { test } from 'vitest';\n"],
  'kube/nowhere.ts': ['resolvable', "export { a } from './nothing.ts';\n"],
  'test/one.ts': ['no-cycles', "export { own } from './own.ts';\nexport const one = 1;\n"],
};

it(
  'lets the directions of the house pass',
  async () => {
    const { code, output } = await runCheck(await plant(CLEAN), 'direction');
    expect(output).toContain('no dependency violations found');
    expect(code).toBe(0);
  },
  TOOL_TIMEOUT_MS,
);

it(
  'finds what goes the other way, I/O in pure libraries, cycles and undeclared packages',
  async () => {
    const other = { 'test/own.ts': "export { one } from './one.ts';\nexport const own = 2;\n" };
    const planted = Object.fromEntries(Object.entries(PLANTED).map(([path, [, text]]) => [path, text]));
    const { code, output } = await runCheck(await plant({ ...CLEAN, ...other, ...planted }), 'direction');
    expect(code).not.toBe(0);
    const findings = output.split('\n');
    for (const [path, [rule]] of Object.entries(PLANTED)) {
      expect(findings).toContainEqual(expect.stringContaining(`error ${rule}: ${path} `));
    }
  },
  TOOL_TIMEOUT_MS,
);

it(
  'looks at every module of this repository',
  async () => {
    const { output } = await runCheck(ROOT, 'direction');
    const cruised = Number(/(\d+) modules, \d+ dependencies cruised/.exec(output)?.[1]);
    const sources = await Promise.all(
      FOLDERS.map((folder) => readdir(join(ROOT, folder), { recursive: true })),
    );
    const count = sources.flat().filter((path) => path.endsWith('.ts')).length;
    expect(count).toBeGreaterThan(150);
    expect(cruised).toBeGreaterThanOrEqual(count);
  },
  TOOL_TIMEOUT_MS,
);
