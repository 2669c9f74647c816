import { groupOf, keyOf, type KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { bodiesOf } from './job.ts';
import { parseJson } from './json.ts';
import { labelsFor, type scopesOf } from './releaseJob.ts';
import { type ReleaseRender, releaseRenderOf } from './releaseRender.ts';
import { withTypesOf } from './types.ts';

/**
 * Makes a stored render one that can be applied, as it was when it was rendered: the labels come after the digest.
 * @param text canonical JSON of the render, verified
 * @param scopes of the kinds that the cluster serves
 */
export function restoredRender(
  release: Release,
  { renderRef, text }: { renderRef: string; text: string },
  scopes: ReturnType<typeof scopesOf>,
): ReleaseRender {
  const exact = parseJson(text) as KubeObject[];
  const scopeOf = withTypesOf(exact, (group, kind) => scopes.get(`${group}/${kind}`));
  const unknown = exact.filter(({ apiVersion, kind }) => scopeOf(groupOf(apiVersion), kind) === undefined);
  return releaseRenderOf({
    renderRef,
    bodies: bodiesOf(exact, labelsFor(release)),
    warnings: [],
    unknown: unknown.map((object) => ({ key: keyOf(object), apiVersion: object.apiVersion })),
  });
}
