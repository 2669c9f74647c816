import { FIELD_MANAGER } from '../../api/group.ts';
import { keyString, versionOf } from '../../api/object.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import { ApiError, isUnserved } from '../../kube/errors.ts';
import { findLive } from '../../kube/findLive.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { about, type DiffRun, entryOf, type Finding, findingOf, isExcused } from './run.ts';
import { testUpdate } from './testUpdate.ts';

/** What the render brings that others need, by keyString. */
export interface Brought {
  created: Set<string>;
  /** Those that are there, and would not stay as they are. */
  changed: Set<string>;
}

/**
 * What a sync would make of one object of the render: read live, then sent as a server-side apply with dryRun=All. Errors
 * about the object are findings.
 * @throws ConnectionError, DiscoveryIncomplete
 */
export async function testObject(run: DiffRun, planned: PlannedObject, brought: Brought): Promise<Finding> {
  const { key, needs } = planned;
  if (run.render.unknown.has(keyString(key)))
    return creation(planned, 'nothing serves its type: it waits until something on the cluster brings it');
  if (needs.some((need) => brought.created.has(keyString(need)))) return creation(planned);
  // The API server judges by a type as it is: what the same render makes of it is not known to it.
  const isJudgedByOld = needs.some((need) => brought.changed.has(keyString(need)));
  try {
    const resource = await resourceOf(run, planned);
    const live = await findLive(run.session.client, resource, planned.object.metadata);
    if (live !== undefined) return await testUpdate(run, planned, { resource, live, isJudgedByOld });
    if (wasPurged(run, planned)) return { ...about(planned), action: 'unchanged', remarks: [] };
    return await testCreation(run, planned, { resource, isJudgedByOld });
  } catch (error) {
    if (error instanceof NotServed || isUnserved(error))
      return isJudgedByOld ? creation(planned) : findingOf(about(planned), new NotServed(planned));
    if (!(error instanceof ApiError)) throw error;
    return findingOf(about(planned), error);
  }
}

class NotServed extends Error {
  override name = 'NotServed';

  constructor({ object }: PlannedObject) {
    super(
      `the cluster does not serve the kind ${object.kind} in ${object.apiVersion} – correct apiVersion and kind, or install its CustomResourceDefinition`,
    );
  }
}

async function resourceOf({ discovery }: DiffRun, planned: PlannedObject): Promise<ApiResource> {
  const { key, object } = planned;
  const resource = await discovery.resourceFor(key.group, key.kind, versionOf(object.apiVersion));
  if (resource === undefined) throw new NotServed(planned);
  return resource;
}

/** Deleted by its purge-order, and not to be made again for the same render. */
function wasPurged(run: DiffRun, { key }: PlannedObject): boolean {
  const entry = entryOf(run, key);
  return entry?.purged === true && entry.renderRef === run.render.renderRef;
}

async function testCreation(
  run: DiffRun,
  planned: PlannedObject,
  { resource, isJudgedByOld }: { resource: ApiResource; isJudgedByOld: boolean },
): Promise<Finding> {
  const { client } = run.session;
  const { key, object, updatePolicy } = planned;
  const body = run.render.bodies.get(keyString(key))?.text ?? '';
  const options = { fieldManager: FIELD_MANAGER, dryRun: true, body };
  try {
    if (updatePolicy === 'Once') await client.create(resource, object, options);
    else await client.apply(resource, object, { ...options, force: true });
    return creation(planned);
  } catch (error) {
    if (isExcused(run, planned, error) || (error instanceof ApiError && isJudgedByOld))
      return creation(planned);
    throw error;
  }
}

/** As it is sent: what the API server would fill in is another at each try (addresses, ports). */
function creation(planned: PlannedObject, remark?: string): Finding {
  const { purgeOrder, object } = planned;
  const remarks = [
    ...(remark === undefined ? [] : [remark]),
    ...(purgeOrder === undefined ? [] : [`deleted again at the end of wave ${purgeOrder}`]),
  ];
  return { ...about(planned), action: 'create', remarks, after: object };
}
