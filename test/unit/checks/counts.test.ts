import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countChecks, countTests, summary } from '../../ci/counts.ts';
import { plant, ROOT, run, TOOL_TIMEOUT_MS } from './tree.ts';

describe('checks', () => {
  it('counts those that said that they passed', () => {
    const counts = countChecks('check: types\ncheck passed: types\ncheck: lint\nx.ts: bad\n', 2);
    expect(counts).toEqual({ passed: 1, failed: 1, notes: ['check lint'] });
  });

  it.each([
    ['no check has run', '', 0],
    ['make fails outside of all checks', 'check: types\ncheck passed: types\n', 2],
  ])('counts a failure where %s', (_, output, code) => {
    expect(countChecks(output, code).failed).toBe(1);
  });
});

describe('tests', () => {
  const report = (...testResults: object[]) => JSON.stringify({ testResults });
  const file = {
    name: 'a.test.ts',
    status: 'passed',
    assertionResults: [{ fullName: 'works', status: 'passed' }],
  };

  it.each([
    ['there is no report', undefined, 1],
    ['the report is cut', '{"testResults": [', 1],
    ['no test has run', report(), 0],
    [
      'all tests are skipped',
      report({ ...file, assertionResults: [{ fullName: 'x', status: 'skipped' }] }),
      0,
    ],
    ['Vitest fails outside of all tests', report(file), 1],
  ])('counts a failure where %s', (_, text, code) => {
    expect(countTests(text, code).failed).toBe(1);
  });

  it(
    'counts what Vitest reports: passed, failed, skipped, and a file that does not load',
    async () => {
      const root = await plant({
        'some.test.ts':
          "import { expect, it } from 'vitest';\nit('passes', () => {});\nit('fails', () => expect(1).toBe(2));\nit.skip('waits', () => {});\n",
        'broken.test.ts': "throw new Error('does not load');\n",
      });
      const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
      const { code } = await run(root, 'node', [
        vitest,
        'run',
        '--reporter=json',
        '--outputFile=report.json',
      ]);
      const counts = countTests(await readFile(join(root, 'report.json'), 'utf8'), code);
      expect(summary(counts)).toBe('1 passed, 2 failed');
      expect(counts.notes.join('\n')).toMatch(/broken\.test\.ts: .*does not load/);
      expect(counts.notes.join('\n')).toContain('some.test.ts: fails');
      expect(counts.notes).toContain('1 tests skipped');
    },
    TOOL_TIMEOUT_MS,
  );
});

it('sums up', () => {
  expect(summary({ passed: 5, failed: 1, notes: [] }, { passed: 7, failed: 0, notes: [] })).toBe(
    '12 passed, 1 failed',
  );
});
