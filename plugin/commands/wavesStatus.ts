import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { type InventoryView, listInventories, readInventory } from '../cluster/inventory.ts';
import { type Session, withSession } from '../cluster/session.ts';
import { wavesData } from '../views/wavesData.ts';
import { wavesPage } from '../views/wavesPage.ts';
import type { Command, Invocation } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `waves status [NAME]`: the waves of one Release, or of all of a namespace, or of all namespaces. */
export const wavesStatus: Command = async (invocation) => {
  const { flags, name, io } = invocation;
  refuseContradictions(invocation);
  if (flags.watch) return await (await import('./watchWaves.ts')).watchWaves(invocation);
  const { releases, inventoryOf, namespace } = await withSession(flags, io.env, (session) =>
    name === undefined ? readAll(session, flags.allNamespaces) : readOne(session, name),
  );
  const { output } = flags;
  if (output === 'json' || output === 'yaml') {
    const items = releases.map((release) => wavesData(release, inventoryOf(release), io.now()));
    io.stdout.write(await dataText(name === undefined ? { items } : items[0], output));
  } else if (releases.length > 0) {
    io.stdout.write(textOf(pageOf(releases, inventoryOf, invocation)));
  } else {
    io.stderr.write(`No Releases found${flags.allNamespaces ? '' : ` in namespace ${namespace}`}.\n`);
  }
  return 0;
};

interface Read {
  releases: readonly Release[];
  inventoryOf: (release: Release) => InventoryView;
  namespace: string;
}

function refuseContradictions({ name, flags }: Invocation): void {
  if (name !== undefined && flags.allNamespaces)
    throw usageProblem('one Release cannot be named across all namespaces', 'leave out -A or the name');
  if (flags.output === 'name') throw usageProblem('--output name', 'it takes table, wide, json, yaml');
  if (flags.watch && flags.output !== 'table' && flags.output !== 'wide')
    throw usageProblem(`--watch does not print ${flags.output}`, 'leave out -o, or --watch');
}

async function readOne(session: Session, name: string): Promise<Read> {
  const release = await getRelease(session, name);
  const inventory = await readInventory(session, release);
  return { releases: [release], inventoryOf: () => inventory, namespace: session.namespace };
}

async function readAll(session: Session, allNamespaces: boolean): Promise<Read> {
  const namespace = allNamespaces ? undefined : session.namespace;
  const [{ items }, inventoryOf] = await Promise.all([
    session.client.listAll<Release>(RESOURCES.Release, namespace === undefined ? {} : { namespace }),
    listInventories(session, namespace),
  ]);
  return { releases: items, inventoryOf, namespace: session.namespace };
}

function pageOf(
  releases: readonly Release[],
  inventoryOf: Read['inventoryOf'],
  { flags, io, paint, width }: Invocation,
): string[] {
  const { headers, output } = flags;
  return wavesPage(releases, inventoryOf, {
    ...{ now: io.now(), width, paint, headers },
    wide: output === 'wide',
  });
}
