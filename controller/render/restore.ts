import type { Release } from '../../api/release.ts';
import { scopesOf } from '../../engine/render/releaseJob.ts';
import { restoredRender } from '../../engine/render/restore.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Rendered } from './rendered.ts';

/**
 * A stored render that can be applied to a cluster.
 * @param stored its digest and its canonical JSON, verified
 * @throws DiscoveryIncomplete where it cannot be told whether a kind exists
 */
export async function restoreRender(
  cluster: TargetCluster,
  release: Release,
  stored: { renderRef: string; text: string },
): Promise<Rendered> {
  return restoredRender(release, stored, scopesOf((await cluster.discovery.all()).resources));
}
