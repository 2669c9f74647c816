import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { ApiError } from '../../kube/errors.ts';
import { CliProblem, usageProblem } from '../cli/problem.ts';
import type { Session } from '../cluster/session.ts';

/** Reads the Release that was named. Throws CliProblem that says where it was looked for, and all that KubeClient throws. */
export async function getRelease({ client, namespace }: Session, name: string): Promise<Release> {
  try {
    return await client.get<Release>(RESOURCES.Release, { namespace, name });
  } catch (error) {
    if (error instanceof TypeError) throw usageProblem(error.message, 'give the name of a Release');
    if (!(error instanceof ApiError && error.status === 404 && error.details?.name !== undefined))
      throw error;
    throw new CliProblem(`there is no Release ${name} in namespace ${namespace}`, {
      why: [error.serverMessage],
      hints: [
        `see which there are: kubectl convoy release get -n ${namespace}`,
        'look in all namespaces: kubectl convoy release get -A',
      ],
      cause: error,
    });
  }
}
