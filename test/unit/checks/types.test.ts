import { expect, it } from 'vitest';
import { plant, runCheck, TOOL_TIMEOUT_MS } from './tree.ts';

const CLEAN = { 'api/clean.ts': "export const name: string = 'convoy';\n" };

const PLANTED = {
  'engine/unchecked.ts': 'const list: number[] = [];\nexport const first: number = list[0];\n',
  'kube/optional.ts': 'export const options: { limit?: number } = { limit: undefined };\n',
  'controller/enum.ts': 'export enum Mode {\n  On,\n}\n',
  'plugin/types.ts': "import { Thing } from '../webhook/thing.ts';\nexport type Other = Thing;\n",
  'webhook/thing.ts': 'export interface Thing {\n  size: number;\n}\n',
  'test/unused.ts': 'export function half(whole: number, rest: number): number {\n  return whole / 2;\n}\n',
  'manifests/extension.ts': "export * from '../api/clean';\n",
};

it(
  'lets clean types pass',
  async () => {
    expect(await runCheck(await plant(CLEAN), 'types')).toEqual({ code: 0, output: '' });
  },
  TOOL_TIMEOUT_MS,
);

it(
  'finds what strictness beyond `strict` forbids, in every folder',
  async () => {
    const { code, output } = await runCheck(await plant({ ...CLEAN, ...PLANTED }), 'types');
    expect(code).not.toBe(0);
    expect(output.split('\n').map((line) => /^(.*)\(.*error (TS\d+)/.exec(line)?.slice(1).join(' '))).toEqual(
      expect.arrayContaining([
        'engine/unchecked.ts TS2322',
        'kube/optional.ts TS2375',
        'controller/enum.ts TS1294',
        'plugin/types.ts TS1484',
        'test/unused.ts TS6133',
        'manifests/extension.ts TS2835',
      ]),
    );
  },
  TOOL_TIMEOUT_MS,
);
