import { textOf } from '../cli/io.ts';
import { isDataOutput, objectText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { readInventory } from '../cluster/inventory.ts';
import { withSession } from '../cluster/session.ts';
import { releasePage } from '../views/releasePage.ts';
import type { Command } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release status NAME`: one page about a Release. */
export const releaseStatus: Command = async (invocation) => {
  const { flags, name = '', io, paint, width } = invocation;
  const { output } = flags;
  if (flags.watch) {
    if (isDataOutput(output))
      throw usageProblem(`--watch does not print ${output}`, 'leave out -o, or --watch');
    return await (await import('./watchStatus.ts')).watchStatus(invocation);
  }
  const text = await withSession(flags, io.env, async (session) => {
    const release = await getRelease(session, name);
    if (isDataOutput(output)) return await objectText(release, output);
    const inventory = await readInventory(session, release);
    return textOf(releasePage(release, { now: io.now(), width, paint, inventory, wide: output === 'wide' }));
  });
  io.stdout.write(text);
  return 0;
};
