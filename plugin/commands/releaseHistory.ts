import { explain } from '../cli/explain.ts';
import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { asTrouble, usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import { historyData, historyTable } from '../views/historyTable.ts';
import type { Command, Invocation } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release history NAME [show N | diff N M]`: the renders of a Release, one of them, or two against each other. */
export const releaseHistory: Command = async (invocation) => {
  const [word, first, second, ...more] = invocation.words;
  if (word === undefined) return await list(invocation);
  if (word === 'show' && first !== undefined && second === undefined) {
    const { showRender } = await import('./historyShow.ts');
    return await showRender(invocation, first);
  }
  if (word === 'diff' && first !== undefined && second !== undefined && more.length === 0) {
    const { diffRenders } = await import('./historyDiff.ts');
    return await diffRenders(invocation, first, second).catch((error: unknown) => {
      throw asTrouble(explain(error));
    });
  }
  const { name = '', words } = invocation;
  throw usageProblem(
    `release history ${name} does not take ${JSON.stringify(words.join(' '))}`,
    `write kubectl convoy release history ${name} [show N | diff N M]`,
  );
};

async function list({ flags, io, name = '', paint, width }: Invocation): Promise<number> {
  const { output, headers } = flags;
  if (output === 'name') throw usageProblem('--output name', 'it takes table, wide, json, yaml');
  const release = await withSession(flags, io.env, (session) => getRelease(session, name));
  if (output === 'json' || output === 'yaml') {
    io.stdout.write(await dataText(historyData(release), output));
    return 0;
  }
  const wide = output === 'wide';
  const lines = historyTable(release, { now: io.now(), paint, width, headers, wide });
  if (lines.length > 0) io.stdout.write(textOf(lines));
  else io.stderr.write(`No render of ${name} has been applied completely.\n`);
  return 0;
}
