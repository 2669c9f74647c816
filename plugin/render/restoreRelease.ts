import type { Release } from '../../api/release.ts';
import { scopesOf } from '../../engine/render/releaseJob.ts';
import { restoredRender } from '../../engine/render/restore.ts';
import type { Discovery } from '../../kube/discovery.ts';
import type { Session } from '../cluster/session.ts';
import { CliProblem } from '../cli/problem.ts';
import { type LiveRender, renderRelease } from './renderRelease.ts';

/** As renderRelease, of a stored render. @throws the errors of KubeClient */
export async function restoreRelease(
  session: Session,
  discovery: Discovery,
  release: Release,
  stored: { renderRef: string; text: string },
): Promise<LiveRender> {
  const [{ resources }, known] = await Promise.all([
    discovery.all(),
    secretsOfStored(session, discovery, release),
  ]);
  return { ...known, render: restoredRender(release, stored, scopesOf(resources)) };
}

/**
 * What may be told of a render that was stored. It does not say what of it comes from Secrets: where the Release takes
 * variables from them, its source as it is now tells, and where that cannot be rendered nothing is told of any object.
 */
export async function secretsOfStored(
  session: Session,
  discovery: Discovery,
  release: Release,
): Promise<Omit<LiveRender, 'render'>> {
  const { variablesFrom = [] } = release.spec.content ?? {};
  if (!variablesFrom.some(({ kind }) => kind === 'Secret')) return { blind: undefined, secrets: [] };
  try {
    const { render, blind, secrets } = await renderRelease(session, discovery, release);
    return { blind, secrets, source: render.objects };
  } catch (error) {
    if (!(error instanceof CliProblem)) throw error;
    const why = `what of it comes from Secrets cannot be told: ${error.message}`;
    return { blind: undefined, secrets: [], source: [], notes: [`all values are hidden, since ${why}`] };
  }
}
