import type { Release } from '../../api/release.ts';
import { textOf } from '../cli/io.ts';
import { isDataOutput, objectText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import type { Invocation } from './command.ts';

/** @throws CliProblem for a form in which a Release that was changed is not printed */
export function refuseWide({ flags: { output } }: Invocation): void {
  if (output === 'wide') throw usageProblem('--output wide', 'it takes table, json, yaml, name');
}

/** Prints what has become of a Release: the lines, or itself with -o. */
export async function printChanged(
  { io, flags }: Invocation,
  release: Release,
  lines: readonly string[],
): Promise<void> {
  const { output } = flags;
  io.stdout.write(isDataOutput(output) ? await objectText(release, output) : textOf(lines));
}
