import { isMap } from '../../engine/render/objects.ts';
import { sameJson } from '../../engine/mutations/sameJson.ts';
import { fieldTaint, itemNames, itemTaint, type Taint } from './taint.ts';

/** What stands in place of a value that may not be told: neither its length nor anything else is. */
const HIDDEN = '(hidden)';
const HIDDEN_BEFORE = '(hidden, before)';
const HIDDEN_AFTER = '(hidden, after)';

/** What is known of one object about what may be told of it. */
export interface MaskRules {
  /** What of it comes from Secrets. */
  taint: Taint | undefined;
  /** The object as it is rendered: what stands there and is not tainted is in the source for all to read. */
  rendered: unknown;
  /** Whether a text has a value of a Secret in it. */
  isSecret: (text: string) => boolean;
}

export interface Pair {
  before: unknown;
  after: unknown;
}

/**
 * Hides in an object, as it is and as it would be, what comes from Secrets; it still shows whether a value differs.
 * Hidden is what the render takes from a Secret, in both; every text with a value of a Secret in it that the source does
 * not have in plain; and, in an object that takes something from Secrets, what differs and the source does not have: an
 * earlier render may have put it there from a value that no Secret has any more.
 */
export function maskPair(pair: Pair, rules: MaskRules): Pair {
  const isTouched = rules.taint !== undefined;
  return mask(pair, rules.taint, rules.rendered, { isTouched, isSecret: rules.isSecret });
}

type Context = Pick<MaskRules, 'isSecret'> & { isTouched: boolean };

function mask(pair: Pair, taint: Taint | undefined, rendered: unknown, context: Context): Pair {
  if (taint === 'all') return hidePair(pair);
  const { before, after } = pair;
  if (before === undefined && after === undefined) return pair;
  if (isMapOrNone(before) && isMapOrNone(after)) return maskMaps(before, after, taint, rendered, context);
  if (isListOrNone(before) && isListOrNone(after)) return maskLists(before, after, taint, rendered, context);
  if (isScalar(before) && isScalar(after)) return maskScalars(pair, rendered, context);
  // Of two kinds: each by itself, so that nothing below either is told.
  return {
    before: mask({ before, after: undefined }, taint, rendered, context).before,
    after: mask({ before: undefined, after }, taint, rendered, context).after,
  };
}

function maskMaps(
  before: Record<string, unknown> | undefined,
  after: Record<string, unknown> | undefined,
  taint: Taint | undefined,
  rendered: unknown,
  context: Context,
): Pair {
  const source = isMap(rendered) ? rendered : {};
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const masked = [...fields].map((field) => {
    const pair = { before: before?.[field], after: after?.[field] };
    return [field, mask(pair, fieldTaint(taint, field), source[field], context)] as const;
  });
  return {
    before:
      before &&
      Object.fromEntries(
        masked.filter(([field]) => Object.hasOwn(before, field)).map(([field, pair]) => [field, pair.before]),
      ),
    after:
      after &&
      Object.fromEntries(
        masked.filter(([field]) => Object.hasOwn(after, field)).map(([field, pair]) => [field, pair.after]),
      ),
  };
}

function maskLists(
  before: readonly unknown[] | undefined,
  after: readonly unknown[] | undefined,
  taint: Taint | undefined,
  rendered: unknown,
  context: Context,
): Pair {
  const others = { before: partners(before, after), after: partners(after, before) };
  const sources = Array.isArray(rendered) ? rendered : [];
  const inSource = { before: partners(before, sources), after: partners(after, sources) };
  return {
    before: before?.map(
      (item, index) =>
        mask(
          { before: item, after: others.before[index] },
          itemTaint(taint, item),
          inSource.before[index],
          context,
        ).before,
    ),
    after: after?.map(
      (item, index) =>
        mask(
          { before: others.after[index], after: item },
          itemTaint(taint, item),
          inSource.after[index],
          context,
        ).after,
    ),
  };
}

/** The items of another list that stand for those of a list: by their names where all have one, else by their place. */
function partners(list: readonly unknown[] = [], other: readonly unknown[] = []): unknown[] {
  const names = itemNames(list);
  const otherNames = itemNames(other);
  if (names === undefined || otherNames === undefined) return list.map((_, index) => other[index]);
  const byName = new Map(otherNames.map((name, index) => [name, other[index]]));
  return names.map((name) => byName.get(name));
}

function maskScalars(pair: Pair, rendered: unknown, { isSecret, isTouched }: Context): Pair {
  const isOfOthers = isTouched && rendered === undefined && pair.before !== pair.after;
  const mayBeTold = (value: unknown): boolean =>
    value === undefined || value === rendered || !(isOfOthers || isSecret(textOf(value)));
  const masked = hidePair(pair);
  const beforeTold = mayBeTold(pair.before);
  const afterTold = mayBeTold(pair.after);
  if (beforeTold && afterTold) return pair;
  return {
    before: beforeTold ? pair.before : afterTold ? HIDDEN : masked.before,
    after: afterTold ? pair.after : beforeTold ? HIDDEN : masked.after,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Neither of the two values is told. */
export function hidePair({ before, after }: Pair): Pair {
  const isBoth = before !== undefined && after !== undefined;
  const differ = isBoth && !sameJson(before, after);
  return {
    before: before === undefined ? undefined : differ ? HIDDEN_BEFORE : HIDDEN,
    after: after === undefined ? undefined : differ ? HIDDEN_AFTER : HIDDEN,
  };
}

function isMapOrNone(value: unknown): value is Record<string, unknown> | undefined {
  return value === undefined || isMap(value);
}

function isListOrNone(value: unknown): value is readonly unknown[] | undefined {
  return value === undefined || Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
