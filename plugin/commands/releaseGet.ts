import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { textOf } from '../cli/io.ts';
import { isDataOutput, objectsText, objectText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import { releaseTable } from '../views/releaseTable.ts';
import type { Command, Invocation } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release get [NAME]`: one Release, or all of a namespace, or of all namespaces. */
export const releaseGet: Command = async (invocation) => {
  const { flags, name, io } = invocation;
  refuseContradictions(invocation);
  if (name !== undefined) {
    const release = await withSession(flags, io.env, (session) => getRelease(session, name));
    const { output } = flags;
    io.stdout.write(
      isDataOutput(output) ? await objectText(release, output) : tableText([release], invocation),
    );
    return 0;
  }
  const { releases, namespace } = await listReleases(invocation);
  if (isDataOutput(flags.output)) io.stdout.write(await objectsText(releases, flags.output));
  else if (releases.length > 0) io.stdout.write(tableText(releases, invocation));
  else io.stderr.write(nothingFound(flags.allNamespaces ? undefined : namespace, flags.selector));
  return 0;
};

function refuseContradictions({ name, flags }: Invocation): void {
  if (name === undefined) return;
  if (flags.allNamespaces)
    throw usageProblem('one Release cannot be named across all namespaces', 'leave out -A or the name');
  if (flags.selector !== undefined)
    throw usageProblem('a name and a selector contradict each other', 'leave out -l or the name');
}

async function listReleases({ flags, io }: Invocation): Promise<{ releases: Release[]; namespace: string }> {
  return await withSession(flags, io.env, async ({ client, namespace }) => {
    const { items } = await client.listAll<Release>(RESOURCES.Release, {
      ...(flags.allNamespaces ? {} : { namespace }),
      ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
    });
    return { releases: items, namespace };
  });
}

function tableText(releases: readonly Release[], { flags, io, paint, width }: Invocation): string {
  const { output, allNamespaces, headers } = flags;
  return textOf(
    releaseTable(releases, { now: io.now(), wide: output === 'wide', allNamespaces, headers, width, paint }),
  );
}

function nothingFound(namespace: string | undefined, selector: string | undefined): string {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `No Releases found${where}${selector === undefined ? '' : ` with ${selector}`}.\n`;
}
