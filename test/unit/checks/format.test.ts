import { expect, it } from 'vitest';
import { plant, runCheck, TOOL_TIMEOUT_MS } from './tree.ts';

it(
  'finds TypeScript and YAML that prettier would write otherwise',
  async () => {
    const clean = {
      'api/clean.ts': "export const name = 'convoy';\n",
      'manifests/clean.yaml': 'kind: List\n',
    };
    expect(await runCheck(await plant(clean), 'format')).toEqual({ code: 0, output: '' });

    const planted = {
      'api/quotes.ts': 'export const name = "convoy"\n',
      'manifests/wide.yaml': 'kind:   List\n',
    };
    const { code, output } = await runCheck(await plant({ ...clean, ...planted }), 'format');
    expect(code).not.toBe(0);
    expect(output).toContain('api/quotes.ts');
    expect(output).toContain('manifests/wide.yaml');
    expect(output).not.toContain('clean');
  },
  TOOL_TIMEOUT_MS,
);
