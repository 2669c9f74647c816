import { expect, it } from 'vitest';
import { plant, runCheck, TOOL_TIMEOUT_MS } from './tree.ts';

const PLANTED: Readonly<Record<string, readonly [rule: string, text: string]>> = {
  'controller/floating.ts': [
    '@typescript-eslint/no-floating-promises',
    'export function start(work: () => Promise<void>): void {\n  work();\n}\n',
  ],
  'controller/exhaustive.ts': [
    '@typescript-eslint/switch-exhaustiveness-check',
    "export function size(of: 'a' | 'b'): number | undefined {\n  switch (of) {\n    case 'a':\n      return 1;\n  }\n  return undefined;\n}\n",
  ],
  'webhook/any.ts': ['@typescript-eslint/no-explicit-any', 'export const anything: any = 1;\n'],
  'webhook/empty.ts': [
    'no-empty',
    'export function swallow(work: () => void): void {\n  try {\n    work();\n  } catch {}\n}\n',
  ],
  'plugin/console.ts': ['no-console', "console.log('hello');\n"],
  'plugin/directive.ts': [
    'Unused eslint-disable directive',
    '// eslint-disable-next-line no-console\nexport const x = 1;\n',
  ],
  'engine/clock.ts': ['no-restricted-properties', 'export const now = (): number => Date.now();\n'],
  'engine/date.ts': ['no-restricted-syntax', 'export const today = (): Date => new Date();\n'],
  'engine/chance.ts': ['no-restricted-properties', 'export const chance = (): number => Math.random();\n'],
  'api/environment.ts': ['no-restricted-globals', "export const home = process.env['HOME'];\n"],
};

it(
  'lets clean code pass, and console output of tests',
  async () => {
    const files = {
      'api/clean.ts': 'export const at = (text: string): Date => new Date(text);\n',
      'test/clean.ts': "console.log('hello');\n",
    };
    expect(await runCheck(await plant(files), 'lint')).toEqual({ code: 0, output: '' });
  },
  TOOL_TIMEOUT_MS,
);

it(
  'finds floating promises, swallowed errors, impure libraries and the like',
  async () => {
    const files = Object.fromEntries(Object.entries(PLANTED).map(([path, [, text]]) => [path, text]));
    const root = await plant(files);
    const { code, output } = await runCheck(root, 'lint');
    expect(code).not.toBe(0);
    const findings = output.split(`${root}/`).slice(1);
    for (const [path, [rule]] of Object.entries(PLANTED)) {
      expect(findings.find((finding) => finding.startsWith(path))).toContain(rule);
    }
  },
  TOOL_TIMEOUT_MS,
);
