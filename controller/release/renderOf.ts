import type { Pin, Release } from '../../api/release.ts';
import { secretValues } from '../../engine/source/variables.ts';
import { notHeld, resolvePin } from '../../engine/rollout/pin.ts';
import type { Rendered } from '../render/rendered.ts';
import { releaseKey } from '../services.ts';
import { fetchSource } from '../source/source.ts';
import { fetchVariables } from '../source/variables.ts';
import { RenderUnreadable } from '../../api/packedRender.ts';
import { Halt } from './halt.ts';
import type { Reconcile } from './reconcileRun.ts';

interface Wanted {
  rendered: Rendered;
  /** Of the source that it came from. */
  revision: string;
}

/**
 * What the Release is to apply: the render of its source, or the stored one that `spec.pin` names, whatever the source says.
 * @throws Halt `SourceFailed`, `RenderFailed`
 */
export async function renderOf(run: Reconcile): Promise<Wanted> {
  const { pin } = run.release.spec;
  return pin === undefined ? await renderSource(run) : await pinnedRender(run, pin);
}

async function renderSource({ services, release, draft, redaction, signal }: Reconcile): Promise<Wanted> {
  const { sourceReader, target, sources, renderer } = services;
  await sources.follow(releaseKey(release), release, signal);
  const source = await fetchSource(sourceReader, release);
  draft.fetched(source.revision);
  const variables = await fetchVariables(sourceReader, release);
  redaction.hide(secretValues(variables));
  const rendered = await renderer.render(target, release, { source, variables }, signal);
  return { rendered, revision: source.revision };
}

async function pinnedRender(run: Reconcile, pin: Pin): Promise<Wanted> {
  const { services, release, draft } = run;
  const found = resolvePin(pin, draft.status);
  if ('problem' in found) throw cannotPin(found.problem);
  const { renderRef } = found;
  const held = await services.renders
    .load(services.target, release, renderRef)
    .catch(async (error: unknown) => {
      if (!(error instanceof RenderUnreadable)) throw error;
      const others = await services.renders.held(release);
      const isHeld = others.includes(renderRef);
      throw cannotPin(isHeld ? error.message : notHeld(renderRef, others, draft.status.history));
    });
  draft.pinned({ renderRef, ...(pin.history === undefined ? {} : { history: pin.history }) });
  return { rendered: held, revision: revisionOf(release, renderRef) };
}

/** Nothing changes; that what is wanted does not stand applied shows in `Applied` all the same. */
function cannotPin(message: string): Halt {
  return new Halt(message, { reason: 'RenderFailed', stage: 'Render', resume: 'change', isNotApplied: true });
}

function revisionOf({ status = {} }: Release, renderRef: string): string {
  const { history = [], lastHealthy, lastSuccessful } = status;
  return (
    [...history, lastHealthy, lastSuccessful].find((known) => known?.renderRef === renderRef)?.revision ?? ''
  );
}
