import { type RenderJob, type RenderResult, runRender } from '../../engine/render/job.ts';
import { packRender } from '../../api/packedRender.ts';

/** A render with what a store keeps of it. */
export type PackedResult = Omit<RenderResult, 'canonical'> & { packed: Uint8Array };
export type PackedOutcome = PackedResult | { refused: string };

/** Renders, and packs what came of it where that is done: in the worker thread, for heavy renders. */
export function renderAndPack(job: RenderJob): PackedOutcome {
  const outcome = runRender(job);
  if ('refused' in outcome) return outcome;
  const { canonical, ...result } = outcome;
  return { ...result, packed: packRender(result.renderRef, canonical).packed };
}
