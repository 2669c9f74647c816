import type { KubeClient } from '../../kube/client.ts';
import { isForbidden } from '../../kube/errors.ts';
import type { RenderOwner } from '../../kube/renderSecrets.ts';
import { SecretStore } from './secrets.ts';

/** Removes all renders of a Release that goes, also where renders are kept no longer (`--render-store none`). */
export async function clearRenders(client: KubeClient, owner: RenderOwner): Promise<void> {
  await new SecretStore(client).collect(owner, new Set()).catch((error: unknown) => {
    // Who may not list Secrets has made none.
    if (!isForbidden(error)) throw error;
  });
}
