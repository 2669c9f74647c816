import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { CliProblem } from '../cli/problem.ts';
import type { Session } from './session.ts';

/**
 * Merges into the spec of a Release.
 * @param change null takes a field out
 * @returns the Release as it is then
 * @throws CliProblem for one that is being deleted; the errors of KubeClient
 */
export async function changeRelease(
  { client }: Session,
  { metadata }: Release,
  change: Record<string, unknown>,
): Promise<Release> {
  const { name, namespace = '', deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined)
    throw new CliProblem(`Release ${name} in namespace ${namespace} is being deleted`, {
      why: [`since ${deletionTimestamp}; nothing of it is applied any more`],
      hints: [`see what it waits for: kubectl convoy release why ${name} -n ${namespace}`],
    });
  return await client.patch<Release>(
    RESOURCES.Release,
    { namespace, name },
    { type: 'merge', patch: { spec: change } },
    { fieldManager: 'kubectl-convoy' },
  );
}
