import { type KubeObject, versionOf } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { TextFile } from '../../engine/render/files.ts';
import { type RenderJob, type RenderResult, runRender, withoutSecrets } from '../../engine/render/job.ts';
import { renderJobOf, scopesOf, unknownKindsProblem } from '../../engine/render/releaseJob.ts';
import { type ReleaseRender, releaseRenderOf } from '../../engine/render/releaseRender.ts';
import { secretValues } from '../../engine/source/variables.ts';
import type { Discovery } from '../../kube/discovery.ts';
import { CliProblem } from '../cli/problem.ts';
import type { Session } from '../cluster/session.ts';
import { readSource, readVariables } from './readSource.ts';

/** A render, with what tells which parts of it come from Secrets. */
export interface LiveRender {
  render: ReleaseRender;
  /** The same with other letters in place of what comes from Secrets; undefined where that cannot be rendered. */
  blind: ReleaseRender | undefined;
  /** Values that may not be told. */
  secrets: string[];
  /** What `blind` is the other of, where that is not `render`: see Secrecy. */
  source?: readonly KubeObject[];
  /** What the reader has to know of that. */
  notes?: string[];
}

/**
 * Renders a Release as the controller would now: its source, its variables, its mutations, the kinds that the cluster serves.
 * @param texts manifests that stand in place of its source
 * @throws CliProblem where a sync would fail to read or render it; the errors of KubeClient
 */
export async function renderRelease(
  session: Session,
  discovery: Discovery,
  release: Release,
  texts?: readonly TextFile[],
): Promise<LiveRender> {
  const [source, variables, served] = await Promise.all([
    texts === undefined ? readSource(session, release) : { texts },
    readVariables(session, release),
    discovery.all(),
  ]);
  const job = renderJobOf(release, { source, variables }, scopesOf(served.resources));
  const result = rendered(job);
  await refuseUnknown(discovery, result);
  const secrets = secretValues(variables);
  const blind = secrets.length === 0 ? result : runRender(withoutSecrets(job));
  return {
    render: releaseRenderOf(result),
    blind: 'refused' in blind ? undefined : releaseRenderOf(blind),
    secrets,
  };
}

function rendered(job: RenderJob): RenderResult {
  const outcome = runRender(job);
  if (!('refused' in outcome)) return outcome;
  throw new CliProblem('the source cannot be rendered', {
    why: outcome.refused.split('\n'),
    hints: ['correct the source: a sync would fail with RenderFailed and leave everything as it is'],
  });
}

/** A group that does not answer may have them: that is told by what throws. */
async function refuseUnknown(discovery: Discovery, result: RenderResult): Promise<void> {
  for (const { key, apiVersion } of result.unknown)
    await discovery.resourceFor(key.group, key.kind, versionOf(apiVersion));
  const problem = unknownKindsProblem(result);
  if (problem === undefined) return;
  throw new CliProblem('the source has kinds that the cluster does not know', { why: problem.split('\n') });
}
