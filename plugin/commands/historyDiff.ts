import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import { parseReference, resolveReference } from '../history/reference.ts';
import { StoredRenders } from '../history/storedRenders.ts';
import { diffOfRenders, objectsOf, tellingOf } from '../history/tell.ts';
import { historyDiffData, historyDiffPage } from '../views/historyDiffPage.ts';
import type { Invocation } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release history NAME diff N M`: what M has changed since N; 1 where they differ, as `release diff` has it. */
export async function diffRenders(
  { flags, io, name = '', paint, width }: Invocation,
  from: string,
  to: string,
): Promise<number> {
  const { output } = flags;
  if (output === 'wide' || output === 'name')
    throw usageProblem(`--output ${output}`, 'it takes table, json, yaml');
  const references = [parseReference(from, 'diff'), parseReference(to, 'diff')] as const;
  const report = await withSession(flags, io.env, async (session) => {
    const release = await getRelease(session, name);
    const store = await StoredRenders.of(session, release);
    const [before, after] = [
      resolveReference(references[0], release, store.held),
      resolveReference(references[1], release, store.held),
    ];
    const [was, is] = [await store.read(before), await store.read(after)];
    const { secrecy, notes } = await tellingOf(session, release);
    return { before, after, objects: diffOfRenders(objectsOf(was), objectsOf(is), secrecy), notes };
  });
  io.stdout.write(
    output === 'table'
      ? textOf(historyDiffPage(report, { now: io.now(), paint, width }))
      : await dataText(historyDiffData(report), output),
  );
  return report.objects.some(({ action }) => action !== 'unchanged') ? 1 : 0;
}
