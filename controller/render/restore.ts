import { groupOf, keyOf, type KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { bodiesOf } from '../../engine/render/job.ts';
import { parseJson } from '../../engine/render/json.ts';
import { labelsFor, scopesOf } from '../../engine/render/releaseJob.ts';
import { releaseRenderOf } from '../../engine/render/releaseRender.ts';
import { withTypesOf } from '../../engine/render/types.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Rendered } from './rendered.ts';

/**
 * Makes a stored render one that can be applied, as it was when it was rendered: the labels come after the digest.
 * @param text canonical JSON of the render, verified
 * @throws DiscoveryIncomplete where it cannot be told whether a kind exists
 */
export async function restoreRender(
  cluster: TargetCluster,
  release: Release,
  { renderRef, text }: { renderRef: string; text: string },
): Promise<Rendered> {
  const exact = parseJson(text) as KubeObject[];
  const scopes = scopesOf((await cluster.discovery.all()).resources);
  const scopeOf = withTypesOf(exact, (group, kind) => scopes.get(`${group}/${kind}`));
  const unknown = exact.filter(({ apiVersion, kind }) => scopeOf(groupOf(apiVersion), kind) === undefined);
  return releaseRenderOf({
    renderRef,
    bodies: bodiesOf(exact, labelsFor(release)),
    warnings: [],
    unknown: unknown.map((object) => ({ key: keyOf(object), apiVersion: object.apiVersion })),
  });
}
