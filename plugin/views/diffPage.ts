import { describe } from '../../api/object.ts';
import type { Tone } from '../cli/paint.ts';
import { type DiffAction, type DiffReport, type ObjectDiff } from '../diff/report.ts';
import { diffLines } from './diffLines.ts';
import { count, headline, joinSections, type Page } from './page.ts';
import { printable } from './printable.ts';
import { wrap } from './wrap.ts';

interface ActionText {
  /** Behind the name of the object. */
  says: string;
  tone: Tone;
  /** In the closing line. */
  counted: string;
}

/** In the order of the closing line. */
const ACTIONS: Readonly<Record<DiffAction, ActionText>> = {
  create: { says: 'would be created', tone: 'good', counted: 'would be created' },
  change: { says: 'would change', tone: 'warn', counted: 'would change' },
  recreate: {
    says: 'would be deleted and created again',
    tone: 'bad',
    counted: 'would be deleted and created again',
  },
  delete: {
    says: 'would be deleted: it is no longer in the source',
    tone: 'bad',
    counted: 'would be deleted',
  },
  leave: {
    says: 'would be let go: it is no longer in the source, and stays on the cluster',
    tone: 'warn',
    counted: 'would be let go',
  },
  refused: { says: 'is refused', tone: 'bad', counted: 'refused' },
  unknown: { says: 'cannot be told', tone: 'bad', counted: 'cannot be told' },
  unchanged: { says: 'stays as it is', tone: 'plain', counted: 'as they would be' },
};

/** The page of `release diff`: each object that a sync would not leave as it is, and at the end how many there are. */
export function diffPage(report: DiffReport, page: Page): string[] {
  const shown = report.objects.filter(({ action, remarks }) => action !== 'unchanged' || remarks.length > 0);
  return joinSections([
    ...shown.map((object) => objectSection(object, page)),
    report.notes.flatMap((note) => noteLines(note, page)),
    report.gaps.flatMap((gap) => noteLines(gap, page)),
    closing(report, page),
  ]);
}

function objectSection(object: ObjectDiff, page: Page): string[] {
  const { key, wave, action, remarks } = object;
  const { says, tone } = ACTIONS[action];
  const about = action === 'refused' || action === 'unknown' ? `${says}: ${remarks.join('; ')}` : says;
  return [
    ...headline(page, `${describe(key)} (wave ${wave})`, `: ${about}`, tone),
    ...(about === says ? remarks.flatMap((remark) => wrap(printable(remark), page.width, '  ')) : []),
    ...diffLines(object, { before: 'live', after: 'after a sync' }, page),
  ];
}

function noteLines(note: string, { width, paint }: Page): string[] {
  const [first = '', ...rest] = wrap(`note: ${printable(note)}`, width);
  return [first.replace('note:', paint('note:', 'warn')), ...rest.map((line) => `  ${line}`)];
}

/** `1 would be created, 2 would change; 4 as they would be`. */
function closing({ objects, gaps }: DiffReport, { paint }: Page): string[] {
  const same = objects.filter(({ action }) => action === 'unchanged').length;
  const counts = Object.entries(ACTIONS).flatMap(([action, { counted, tone }]) => {
    const number = objects.filter((object) => object.action === action).length;
    return number === 0 || action === 'unchanged' ? [] : [paint(`${number} ${counted}`, tone)];
  });
  if (counts.length === 0 && gaps.length === 0)
    return [`${paint('no difference', 'good')}: a sync would change none of ${count(same, 'object')}`];
  const rest =
    same === 0
      ? ''
      : `${counts.length === 0 ? '' : '; '}${count(same, 'object')} as a sync would leave ${same === 1 ? 'it' : 'them'}`;
  const first = counts.join(', ') + rest;
  return objects.some(({ action }) => action === 'refused')
    ? [first, 'A sync applies nothing while an object is refused.']
    : [first];
}
