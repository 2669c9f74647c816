import { fieldChanges } from '../diff/compare.ts';
import { differs, type DiffReport, type ObjectDiff } from '../diff/report.ts';

/** What `release diff -o json` prints. */
export function diffData({ release, objects, notes, gaps }: DiffReport): unknown {
  const told = objects.filter(({ action }) => action !== 'unchanged');
  return {
    release,
    differs: objects.some(differs),
    items: told.map(objectData),
    unchanged: objects.length - told.length,
    notes: [...notes, ...gaps],
  };
}

function objectData({ key, wave, action, remarks, before, after }: ObjectDiff): unknown {
  return {
    object: key,
    wave,
    action,
    ...(remarks.length === 0 ? {} : { message: remarks.join('; ') }),
    changes: fieldChanges(before, after),
  };
}
