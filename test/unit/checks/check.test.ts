import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run, TOOL_TIMEOUT_MS } from './tree.ts';

const NAMES = ['types', 'lint', 'format', 'direction', 'deadcode', 'generated'];

it(
  'runs every check of package.json, and the others too when one fails',
  async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
    expect(checks).toEqual(NAMES.map((name) => `check:${name}`));

    const { output } = await run(ROOT, 'make', [
      'check',
      'CHECKS=nothing types-of-none',
      '--no-print-directory',
    ]);
    expect(output.match(/^check: .*$/gm)).toEqual(['check: nothing', 'check: types-of-none']);
    const planned = await run(ROOT, 'make', ['--dry-run', 'check']);
    for (const name of NAMES) expect(planned.output).toContain(`npm run --silent check:${name}\n`);
  },
  TOOL_TIMEOUT_MS,
);
