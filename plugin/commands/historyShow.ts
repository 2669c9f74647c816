import { dataText, isDataOutput, objectsText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import { parseReference, resolveReference } from '../history/reference.ts';
import { nameOf, StoredRenders } from '../history/storedRenders.ts';
import { objectsOf, tellingOf, toldObject } from '../history/tell.ts';
import { printableLines } from '../views/printable.ts';
import type { Invocation } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release history NAME show N`: the objects of a stored render, values of Secrets hidden. */
export async function showRender({ flags, io, name = '' }: Invocation, which: string): Promise<number> {
  const { output } = flags;
  if (output === 'wide') throw usageProblem('--output wide', 'it takes table, json, yaml, name');
  const reference = parseReference(which, 'show');
  const { title, objects, notes } = await withSession(flags, io.env, async (session) => {
    const release = await getRelease(session, name);
    const store = await StoredRenders.of(session, release);
    const named = resolveReference(reference, release, store.held);
    const text = await store.read(named);
    const telling = await tellingOf(session, release);
    return {
      title: nameOf(named),
      objects: objectsOf(text).map((object) => toldObject(object, telling.secrecy)),
      notes: telling.notes,
    };
  });
  if (isDataOutput(output)) {
    io.stdout.write(await objectsText(objects, output));
    return 0;
  }
  const documents = await Promise.all(objects.map((object) => dataText(object, 'yaml')));
  const heading = [title, ...notes].map((line) => `# ${line}\n`).join('');
  const lines = documents.map((text) => `---\n${printableLines(text).join('\n')}`);
  io.stdout.write(heading + lines.join(''));
  return 0;
}
