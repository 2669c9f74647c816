import type { ObjectKey } from '../../api/object.ts';
import type { MissingRight } from '../cluster/missingRight.ts';
import type { Pair } from './mask.ts';

/**
 * What a sync would do with an object. `leave`: it stays on the cluster and the Release lets go of it; `refused`: the API
 * server or another Release says no; `unknown`: whoever asks may not find out.
 */
export type DiffAction =
  'create' | 'change' | 'recreate' | 'delete' | 'leave' | 'unchanged' | 'refused' | 'unknown';

/** One object of the render, or of the inventory. Nothing in it is secret. */
export interface ObjectDiff extends Pair {
  key: ObjectKey;
  wave: number;
  action: DiffAction;
  /** What else is to be known: why, by what policy, what the server said. */
  remarks: string[];
}

export interface DiffReport {
  release: { namespace: string; name: string };
  /** In order of wave, then key. */
  objects: ObjectDiff[];
  /** What the reader has to know of the Release or the render as a whole. */
  notes: string[];
  /** What could not be looked at, apart from single objects. */
  gaps: string[];
  missing: MissingRight[];
}

/** Actions that leave the cluster, or the inventory, another than it is. */
const DIFFERENCES: ReadonlySet<DiffAction> = new Set(['create', 'change', 'recreate', 'delete', 'leave']);

export function differs({ action }: ObjectDiff): boolean {
  return DIFFERENCES.has(action);
}

/** True where it is not known whether a sync would do as the report says. */
export function isInDoubt({ objects, gaps }: DiffReport): boolean {
  return gaps.length > 0 || objects.some(({ action }) => action === 'refused' || action === 'unknown');
}
