import type { KubeObject } from '../../api/object.ts';
import { isMap } from '../../engine/render/objects.ts';
import { SECRET_FIELDS } from '../../engine/source/secretObject.ts';
import { hidePair, type Pair } from './mask.ts';

/** Of a Secret the keys are told and never the values, and of its annotations those that stand in the source. */
export function maskSecretObject(masked: Pair, { before, after }: Pair, rendered: KubeObject): Pair {
  const annotations = rendered.metadata.annotations ?? {};
  return {
    before: withSecretFields(masked.before, before, after, 'before'),
    after: withSecretFields(masked.after, before, after, 'after'),
  };

  function withSecretFields(shown: unknown, was: unknown, would: unknown, side: keyof Pair): unknown {
    if (!isMap(shown)) return shown;
    const fields = SECRET_FIELDS.flatMap((field): (readonly [string, unknown])[] =>
      shown[field] === undefined ? [] : [[field, hideEach(fieldOf(was, field), fieldOf(would, field))[side]]],
    );
    const { metadata } = shown;
    return {
      ...shown,
      ...Object.fromEntries(fields),
      ...(isMap(metadata) ? { metadata: tidied(metadata, was, would, side) } : {}),
    };
  }

  function tidied(
    metadata: Record<string, unknown>,
    was: unknown,
    would: unknown,
    side: keyof Pair,
  ): unknown {
    if (!isMap(metadata['annotations'])) return metadata;
    const shown = metadata['annotations'];
    const all = hideEach(annotationsOf(was), annotationsOf(would))[side];
    const told = Object.entries(shown).map(([name, value]: [string, unknown]): readonly [string, unknown] => [
      name,
      value === annotations[name] ? value : fieldOf(all, name),
    ]);
    return { ...metadata, annotations: Object.fromEntries(told) };
  }
}

function fieldOf(object: unknown, field: string): unknown {
  return isMap(object) ? object[field] : undefined;
}

function annotationsOf(object: unknown): unknown {
  return fieldOf(fieldOf(object, 'metadata'), 'annotations');
}

/** Hides each value of a map; what is none is hidden as a whole. */
function hideEach(before: unknown, after: unknown): Pair {
  if (!(before === undefined || isMap(before)) || !(after === undefined || isMap(after)))
    return hidePair({ before, after });
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const hidden = [...keys].map(
    (key) => [key, hidePair({ before: before?.[key], after: after?.[key] })] as const,
  );
  const side = (of: keyof Pair, map: object | undefined): unknown =>
    map &&
    Object.fromEntries(
      hidden.filter(([key]) => Object.hasOwn(map, key)).map(([key, pair]) => [key, pair[of]]),
    );
  return { before: side('before', before), after: side('after', after) };
}
