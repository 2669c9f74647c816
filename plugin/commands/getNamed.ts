import type { KubeObject } from '../../api/object.ts';
import { ApiError } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { CliProblem, usageProblem } from '../cli/problem.ts';
import type { Session } from '../cluster/session.ts';

/**
 * Reads the object that was named.
 * @param resource a kind of Convoy that has a verb `get`
 * @throws CliProblem that says where it was looked for; all that KubeClient throws
 */
export async function getNamed<T extends KubeObject>(
  { client, namespace }: Session,
  resource: ApiResource,
  name: string,
): Promise<T> {
  const { kind } = resource;
  try {
    return await client.get<T>(resource, { namespace, name });
  } catch (error) {
    if (error instanceof TypeError) throw usageProblem(error.message, `give the name of a ${kind}`);
    if (!(error instanceof ApiError && error.status === 404 && error.details?.name !== undefined))
      throw error;
    const get = `kubectl convoy ${kind.toLowerCase()} get`;
    throw new CliProblem(`there is no ${kind} ${name} in namespace ${namespace}`, {
      why: [error.serverMessage],
      hints: [`see which there are: ${get} -n ${namespace}`, `look in all namespaces: ${get} -A`],
      cause: error,
    });
  }
}
