/** What passed and failed; `notes` names each failure and what was left out. */
export interface Counts {
  passed: number;
  failed: number;
  notes: string[];
}

interface Report {
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/**
 * Counts the checks of `make check` by its lines `check: NAME` and `check passed: NAME`.
 * @param exitCode of `make check`: a failure that no line tells counts too
 */
export function countChecks(output: string, exitCode: number): Counts {
  const names = (prefix: string) =>
    output.split('\n').flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length).trim()] : []));
  const started = names('check: ');
  const passed = new Set(names('check passed: '));
  const failed = started.filter((name) => !passed.has(name));
  const counts = { passed: passed.size, failed: failed.length, notes: failed.map((name) => `check ${name}`) };
  if (started.length === 0) return failure(counts, 'make check: ran no check');
  return exitCode !== 0 && counts.failed === 0
    ? failure(counts, `make check: ended with code ${exitCode}`)
    : counts;
}

/**
 * Counts the tests of Vitest's JSON report.
 * @param report its text; undefined where it was not written
 * @param exitCode of `make test`: an error outside of all tests counts too
 */
export function countTests(report: string | undefined, exitCode: number): Counts {
  const counts: Counts = { passed: 0, failed: 0, notes: [] };
  if (report === undefined) return failure(counts, `make test: no report, ended with code ${exitCode}`);
  const results = resultsOf(report);
  if (results === undefined) return failure(counts, 'make test: the report is no JSON of Vitest');
  let skipped = 0;
  for (const { name, status, message, assertionResults } of results) {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const passed = assertionResults.filter((test) => test.status === 'passed');
    skipped += assertionResults.length - passed.length - failed.length;
    counts.passed += passed.length;
    counts.failed += failed.length;
    counts.notes.push(...failed.map(({ fullName }) => `${name}: ${fullName}`));
    if (status === 'failed' && failed.length === 0) failure(counts, `${name}: ${firstLine(message)}`);
  }
  if (counts.passed + counts.failed === 0) return failure(counts, 'make test: ran no test');
  if (exitCode !== 0 && counts.failed === 0) failure(counts, `make test: ended with code ${exitCode}`);
  if (skipped > 0) counts.notes.push(`${skipped} tests skipped`);
  return counts;
}

function resultsOf(report: string): Report['testResults'] | undefined {
  try {
    return (JSON.parse(report) as Report).testResults;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `12 passed, 0 failed`. */
export function summary(...all: readonly Counts[]): string {
  const sum = (field: 'passed' | 'failed') => all.reduce((total, counts) => total + counts[field], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed`;
}

function failure(counts: Counts, note: string): Counts {
  counts.failed += 1;
  counts.notes.push(note);
  return counts;
}

function firstLine(message = ''): string {
  return message.trim().split('\n')[0] || 'failed outside of its tests';
}
