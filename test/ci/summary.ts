import { existsSync, readFileSync } from 'node:fs';
import { countChecks, countTests, summary } from './counts.ts';

// node test/ci/summary.ts CHECK_OUTPUT CHECK_CODE TEST_REPORT TEST_CODE
// Prints what failed and, as its last line, the counts. Ends 1 when anything failed.
const [checkOutput = '', checkCode = '', testReport = '', testCode = ''] = process.argv.slice(2);
const checks = countChecks(readFileSync(checkOutput, 'utf8'), Number(checkCode));
const tests = countTests(
  existsSync(testReport) ? readFileSync(testReport, 'utf8') : undefined,
  Number(testCode),
);

for (const note of [...checks.notes, ...tests.notes]) console.log(note);
console.log(summary(checks, tests));
process.exitCode = checks.failed + tests.failed > 0 ? 1 : 0;
