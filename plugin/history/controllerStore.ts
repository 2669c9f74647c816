import type { KubeObject } from '../../api/object.ts';
import { ApiError } from '../../kube/errors.ts';
import { findControllers } from '../cluster/controllers.ts';
import type { Session } from '../cluster/session.ts';

const FLAG = '--render-store';

interface Deployment extends KubeObject {
  spec?: { template?: { spec?: { containers?: { command?: string[]; args?: string[] }[] } } };
}

/**
 * Where the controller of this cluster keeps renders, as its Deployment tells: `secrets`, `none`, `oci://…`.
 * @returns undefined where there is no one Deployment that tells, or whoever asks may not read it
 */
export async function controllerStore(session: Session): Promise<string | undefined> {
  try {
    const [controller, ...others] = await findControllers<Deployment>(session);
    return controller === undefined || others.length > 0 ? undefined : storeOf(controller);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function storeOf({ spec }: Deployment): string {
  const containers = spec?.template?.spec?.containers ?? [];
  const words = containers.flatMap(({ command = [], args = [] }) => [...command, ...args]);
  const at = words.findLastIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  const word = words[at];
  if (word === undefined) return 'secrets';
  return word === FLAG ? (words[at + 1] ?? 'secrets') : word.slice(FLAG.length + 1);
}
