import type { InventoryEntry } from '../../api/inventory.ts';
import { keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { objectsOfPlan, type Plan, type PlannedObject } from '../../engine/plan/plan.ts';
import { isExcusedRefusal } from '../../engine/plan/refusal.ts';
import type { ReleaseRender } from '../../engine/render/releaseRender.ts';
import type { Discovery } from '../../kube/discovery.ts';
import { ApiError } from '../../kube/errors.ts';
import { refusalWords } from '../../kube/refusal.ts';
import { type MissingRight, missingRight, rightText } from '../cluster/missingRight.ts';
import type { Session } from '../cluster/session.ts';
import type { DiffAction } from './report.ts';

/** What one diff works with. */
export interface DiffRun {
  session: Session;
  discovery: Discovery;
  release: Release;
  render: ReleaseRender;
  plan: Plan;
  /** What the inventory lists, by keyString; nothing where that may not be read. */
  entries: ReadonlyMap<string, InventoryEntry>;
  /** UIDs that it lists: under whatever key, since types move between API groups. */
  uids: ReadonlySet<string>;
  isInventoryKnown: boolean;
  /** Told of each object that was looked at. */
  looked: () => void;
}

/** Requests in flight: as many as there are connections. */
export const CONCURRENCY = 8;

/** What was found out about one object, with all its values. */
export interface Finding {
  key: ObjectKey;
  wave: number;
  action: DiffAction;
  remarks: string[];
  before?: KubeObject | undefined;
  after?: KubeObject | undefined;
  /** As it is rendered; undefined for one that is no longer in the source. */
  rendered?: KubeObject;
  missing?: MissingRight;
}

/** An object of the render. */
export function about({ key, wave, object }: PlannedObject): Pick<Finding, 'key' | 'wave' | 'rendered'> {
  return { key, wave, rendered: object };
}

/** What an error says of one object: that the caller may not find out, or that a sync would fail on it. */
export function findingOf(
  at: Pick<Finding, 'key' | 'wave' | 'rendered'>,
  error: unknown,
  advice?: string,
): Finding {
  const missing = missingRight(error);
  if (missing !== undefined)
    return { ...at, action: 'unknown', remarks: [`you may not ${rightText(missing)}`], missing };
  const words = refusalWords(error);
  return { ...at, action: 'refused', remarks: [advice === undefined ? words : `${words} – ${advice}`] };
}

export function entryOf(run: DiffRun, key: ObjectKey): InventoryEntry | undefined {
  return run.entries.get(keyString(key));
}

/** A refusal that only says that another object of the render is not there yet. */
export function isExcused(run: DiffRun, { key }: PlannedObject, error: unknown): boolean {
  return (
    error instanceof ApiError && isExcusedRefusal(error.serverMessage, key.namespace, objectsOfPlan(run.plan))
  );
}
