import type { Cluster } from '../../api/cluster.ts';
import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { textOf } from '../cli/io.ts';
import { isDataOutput, objectText } from '../cli/printObjects.ts';
import { withSession } from '../cluster/session.ts';
import { clusterPage } from '../views/clusterPage.ts';
import type { Command } from './command.ts';
import { getNamed } from './getNamed.ts';

/** `cluster status NAME`: one page about a Cluster and the Releases on it. */
export const clusterStatus: Command = async ({ flags, name = '', io, paint, width }) => {
  const { output } = flags;
  const text = await withSession(flags, io.env, async (session) => {
    const cluster = await getNamed<Cluster>(session, RESOURCES.Cluster, name);
    if (isDataOutput(output)) return await objectText(cluster, output);
    const { namespace, client } = session;
    const { items } = await client.listAll<Release>(RESOURCES.Release, { namespace });
    const releases = items.filter(({ spec }) => spec.clusterRef?.name === name);
    return textOf(clusterPage(cluster, releases, { now: io.now(), width, paint, wide: output === 'wide' }));
  });
  io.stdout.write(text);
  return 0;
};
