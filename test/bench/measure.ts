/** Result of a bench: its last line on stdout, read by people and machines. */
export interface BenchResult {
  name: string;
  value: number;
  unit: string;
  bar: number;
  ok: boolean;
  details: Record<string, unknown>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}

export interface Rounds {
  min: number;
  max: number;
  /** The median counts as steady when the last round moved it by less than this part. */
  steady: number;
}

/**
 * Runs rounds until the median of what they give is steady. The machines that benches run on are noisy, so one round
 * says little.
 */
export async function untilSteady<T>(
  rounds: Rounds,
  run: (round: number) => Promise<T>,
  valueOf: (round: T) => number,
): Promise<T[]> {
  const results: T[] = [];
  let before = NaN;
  while (results.length < rounds.max) {
    results.push(await run(results.length));
    const now = median(results.map(valueOf));
    if (results.length >= rounds.min && Math.abs(now - before) / now < rounds.steady) break;
    before = now;
  }
  return results;
}

/** Prints the result as the last line. A bench that misses its bar has measured well: it exits 0. */
export function report(result: BenchResult): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** Runs a bench; one that could not measure exits 1 with the reason. */
export async function bench(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(
      `the bench could not measure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
