import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import { clusterWavesData } from '../views/clusterWavesData.ts';
import { clusterWavesTable, rankReleases } from '../views/clusterWavesTable.ts';
import type { Command } from './command.ts';
import { getNamed } from './getNamed.ts';

/** `cluster waves [NAME]`: the Releases of a Cluster by wave, and who waits for whom; without a name those of the home cluster. */
export const clusterWaves: Command = async ({ flags, name, io, paint, width }) => {
  const { output, headers } = flags;
  if (output === 'name' || output === 'wide')
    throw usageProblem(`--output ${output}`, 'it takes table, json, yaml');
  const { releases, namespace } = await withSession(flags, io.env, async (session) => {
    const { client, namespace: asked } = session;
    const { items } = await client.listAll<Release>(RESOURCES.Release, { namespace: asked });
    const found = items.filter(({ spec }) => spec.clusterRef?.name === name);
    // None may be on it, or the name is wrong.
    if (found.length === 0 && name !== undefined) await getNamed(session, RESOURCES.Cluster, name);
    return { releases: found, namespace: asked };
  });
  const ranked = rankReleases(releases, io.now());
  if (output !== 'table') io.stdout.write(await dataText({ items: ranked.map(clusterWavesData) }, output));
  else if (ranked.length > 0)
    io.stdout.write(textOf(clusterWavesTable(ranked, { now: io.now(), width, paint, headers })));
  else {
    const where = name === undefined ? '' : ` for Cluster ${name}`;
    io.stderr.write(`No Releases found in namespace ${namespace}${where}.\n`);
  }
  return 0;
};
