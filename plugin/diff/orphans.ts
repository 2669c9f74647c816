import pMap from 'p-map';
import { DEFAULTS } from '../../api/defaults.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import { keyOf, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { namespacesInUse } from '../../engine/plan/deletion.ts';
import { reasonToLeave } from '../../engine/plan/leave.ts';
import { objectsOfPlan } from '../../engine/plan/plan.ts';
import { isDefinition } from '../../engine/render/types.ts';
import { crdResources } from '../../kube/crdResources.ts';
import { ApiError, isUnserved } from '../../kube/errors.ts';
import { findLive } from '../../kube/findLive.ts';
import { CONCURRENCY, type DiffRun, type Finding, findingOf } from './run.ts';

/** Instances that are looked at of a type that would go: enough to tell whether any is left. */
const INSTANCES = 500;

const NOT_PRUNED = 'set spec.syncPolicy.prune.orphaned to true to have it deleted';

/** What a sync would make of what the inventory lists and the render no longer has (apply.md, prune). */
export async function findOrphans(run: DiffRun): Promise<Finding[]> {
  const wanted = new Set(objectsOfPlan(run.plan).map(({ key }) => keyString(key)));
  const [kept, orphaned] = [
    [...run.entries.values()].filter((entry) => wanted.has(keyString(entry))),
    [...run.entries.values()].filter((entry) => !wanted.has(keyString(entry))),
  ];
  const uids = new Set(kept.map(({ uid = '' }) => uid));
  const found = await pMap(orphaned, (entry) => findingFor(run, entry, uids), { concurrency: CONCURRENCY });
  const findings = found.filter((finding) => finding !== undefined);
  const left = findings.filter(({ action }) => action !== 'delete').map(({ key }) => key);
  const inUse = new Set(
    namespacesInUse(
      findings.map(({ key }) => key),
      [...kept, ...left],
    ),
  );
  return findings.map((finding) =>
    finding.action === 'delete' && inUse.has(finding.key)
      ? { ...finding, action: 'leave', remarks: ['what stays of this Release is in it'] }
      : finding,
  );
}

/** @returns undefined for what is gone already, and for what is known under another key */
async function findingFor(
  run: DiffRun,
  entry: InventoryEntry,
  kept: ReadonlySet<string>,
): Promise<Finding | undefined> {
  const { group, kind, namespace, name, wave } = entry;
  const at = { key: { group, kind, namespace, name }, wave };
  try {
    const live = await find(run, at.key);
    if (live === undefined || kept.has(live.metadata.uid ?? '')) return undefined;
    return await verdict(run, at, { live, entry });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return findingOf(at, error);
  }
}

async function find({ session, discovery }: DiffRun, key: ObjectKey): Promise<KubeObject | undefined> {
  const resource = await discovery.resourceFor(key.group, key.kind);
  return resource === undefined ? undefined : await findLive(session.client, resource, key);
}

async function verdict(
  run: DiffRun,
  at: Pick<Finding, 'key' | 'wave'>,
  { live, entry }: { live: KubeObject; entry: InventoryEntry },
): Promise<Finding> {
  const isPruned = run.release.spec.syncPolicy?.prune?.orphaned ?? DEFAULTS.pruneOrphaned;
  if (!isPruned) return { ...at, action: 'leave', remarks: [NOT_PRUNED] };
  const why = reasonToLeave(live, run.release, entry);
  if (why !== undefined) return { ...at, action: 'leave', remarks: [why] };
  const instances = isDefinition(live) ? await instancesOfOthers(run, live) : 0;
  if (instances === 0) return { ...at, action: 'delete', remarks: [] };
  const count = instances === 1 ? '1 instance' : `${instances} instances`;
  return {
    ...at,
    action: 'refused',
    remarks: [`${count} of it would go with it: a sync waits with it until they are gone`],
  };
}

/** Instances of a type that the inventory does not list: they would go with it. */
async function instancesOfOthers(run: DiffRun, crd: KubeObject): Promise<number> {
  const [resource] = crdResources(crd);
  if (resource === undefined) return 0;
  try {
    const { items } = await run.session.client.list(resource, { limit: INSTANCES });
    return items.filter((item) => !run.entries.has(keyString(keyOf(item)))).length;
  } catch (error) {
    // One that was never in use is not served.
    if (isUnserved(error)) return 0;
    throw error;
  }
}
