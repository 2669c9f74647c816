import { describe, keyOf, type KubeObject } from '../../api/object.ts';
import type { Mutation } from '../../api/release.ts';
import type { Problems } from '../render/errors.ts';
import { RENDER_LIMITS } from '../render/limits.ts';
import { objectFindings, type SourceObject } from '../render/objects.ts';
import { setAnnotations } from './annotations.ts';
import type { Change } from './change.ts';
import { checkMutation } from './check.ts';
import { setImages } from './images.ts';
import { applyJsonPatch } from './jsonPatch.ts';
import { setLabels } from './labels.ts';
import { applyMergePatch } from './mergePatch.ts';
import { Refusal } from './refusal.ts';
import { setSyncWave } from './syncWave.ts';
import { targets } from './target.ts';
import { copyOf, type WriteLimits, Writer } from './writer.ts';

const CHANGES: Readonly<Record<Mutation['type'], Change>> = {
  syncWave: setSyncWave,
  labels: setLabels,
  annotations: setAnnotations,
  images: setImages,
  jsonPatch: applyJsonPatch,
  mergePatch: applyMergePatch,
};

/**
 * Makes the mutations of a Release on its objects, in order: each sees what those before it made (waves.md, axis A).
 * The objects that are given stay as they are. An object that a mutation cannot be made on becomes a problem and is left
 * out; a mutation without any object becomes a warning.
 * @param sources with their namespaces, so that targets can tell them
 * @throws RenderError where the mutations write more than is allowed
 */
export function mutate(
  sources: readonly SourceObject[],
  mutations: readonly Mutation[],
  problems: Problems,
  warnings: string[] = [],
  limits: WriteLimits = RENDER_LIMITS,
): SourceObject[] {
  const invalid = mutations.flatMap((mutation, index) =>
    checkMutation(mutation, nameOf(index), limits.depth),
  );
  for (const found of invalid) problems.add(found);
  if (invalid.length > 0) return [];
  const writer = new Writer(limits);
  let drafts = sources.map((source): Draft => ({ ...source, own: false }));
  for (const [index, mutation] of mutations.entries()) {
    const targeted = drafts.filter(({ object }) => targets(mutation.target, object));
    if (targeted.length === 0) warnings.push(`${nameOf(index)} matches no object`);
    const refused = new Set<Draft>();
    for (const draft of targeted) {
      const found = change(draft, mutation, writer);
      for (const { at, what, remedy } of found)
        problems.add({ where: `${nameOf(index)}${at}`, what, remedy });
      if (found.length > 0) refused.add(draft);
    }
    drafts = drafts.filter((draft) => !refused.has(draft));
  }
  return drafts.map(({ object, where }) => ({ object, where }));
}

interface Draft extends SourceObject {
  /** The object is a copy, which may be changed. */
  own: boolean;
}

function nameOf(index: number): string {
  return `spec.mutations[${index}]`;
}

/** Makes a mutation on a draft. @returns why it cannot be made */
function change(
  draft: Draft,
  mutation: Mutation,
  writer: Writer,
): { at: string; what: string; remedy: string }[] {
  const name = describe(keyOf(draft.object));
  if (!draft.own) draft.object = copyOf(draft.object);
  draft.own = true;
  try {
    const changed = CHANGES[mutation.type](draft.object, mutation, writer);
    writer.checkDepth(changed);
    draft.object = changed as KubeObject;
    return objectFindings(changed).map(([what, remedy]) => ({ at: '', what: `${name}: ${what}`, remedy }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [{ at: error.at, what: `${name}: ${error.message}`, remedy: error.remedy }];
  }
}
