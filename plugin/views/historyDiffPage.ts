import { describe } from '../../api/object.ts';
import type { Tone } from '../cli/paint.ts';
import { fieldChanges } from '../diff/compare.ts';
import type { Named } from '../history/reference.ts';
import type { RenderedDiff } from '../history/tell.ts';
import { diffLines } from './diffLines.ts';
import { count, headline, joinSections, type Page } from './page.ts';
import { printable } from './printable.ts';
import { shortDigest } from './sourceText.ts';
import { wrap } from './wrap.ts';

/** Two stored renders against each other. */
export interface HistoryDiff {
  before: Named;
  after: Named;
  objects: readonly RenderedDiff[];
  notes: readonly string[];
}

const TONES: Readonly<Record<RenderedDiff['action'], Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
  unchanged: 'plain',
};

/** The page of `release history diff`: each object that differs, and at the end how many there are. */
export function historyDiffPage({ before, after, objects, notes }: HistoryDiff, page: Page): string[] {
  const names = { before: nameOf(before), after: nameOf(after) };
  const shown = objects.filter(({ action }) => action !== 'unchanged');
  return joinSections([
    ...shown.map((object) => [
      ...headline(page, describe(object.key), `: ${object.action}`, TONES[object.action]),
      ...diffLines(object, names, page),
    ]),
    notes.flatMap((note) => wrap(`note: ${printable(note)}`, page.width)),
    [closing(objects, names)],
  ]);
}

function closing(objects: readonly RenderedDiff[], { before, after }: Record<'before' | 'after', string>) {
  const counts = (['added', 'removed', 'changed'] as const).flatMap((action) => {
    const number = objects.filter((object) => object.action === action).length;
    return number === 0 ? [] : [`${number} ${action}`];
  });
  const same = objects.filter(({ action }) => action === 'unchanged').length;
  if (counts.length === 0) return `no difference between ${before} and ${after}: ${count(same, 'object')}`;
  return `${counts.join(', ')} from ${before} to ${after}; ${count(same, 'object')} the same`;
}

/** `history 3 (sha256:9f2b5c0de1a4)`. */
function nameOf({ renderRef, number }: Named): string {
  const digest = shortDigest(renderRef);
  return number === undefined ? digest : `history ${number} (${digest})`;
}

/** What `release history diff -o json` prints. */
export function historyDiffData({ before, after, objects, notes }: HistoryDiff): unknown {
  const items = objects.filter(({ action }) => action !== 'unchanged');
  return {
    before,
    after,
    differs: items.length > 0,
    items: items.map(({ key, action, ...pair }) => ({
      object: key,
      action,
      changes: fieldChanges(pair.before, pair.after),
    })),
    unchanged: objects.length - items.length,
    notes,
  };
}
