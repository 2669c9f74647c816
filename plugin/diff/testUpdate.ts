import { PRUNE, PRUNE_DISABLED, UPDATE_POLICY } from '../../api/annotations.ts';
import { FIELD_MANAGER } from '../../api/group.ts';
import { keyString, type KubeObject } from '../../api/object.ts';
import { afterTakeOver, LAST_APPLIED, takenOver } from '../../engine/drift/takeOver.ts';
import { sameJson } from '../../engine/mutations/sameJson.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import { ApiError } from '../../kube/errors.ts';
import { immutableFields, isOnlyImmutable } from '../../kube/immutable.ts';
import { isAccessDenied } from '../../kube/refusal.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { comparable, cutTo } from './compare.ts';
import { ownershipOf } from './owners.ts';
import { about, type DiffRun, type Finding, findingOf, isExcused } from './run.ts';

interface Live {
  resource: ApiResource;
  live: KubeObject;
  /** Its type would be another after the sync: a refusal says nothing. */
  isJudgedByOld: boolean;
}

/** What a sync would make of an object that is there. @throws ApiError, ConnectionError */
export async function testUpdate(run: DiffRun, planned: PlannedObject, found: Live): Promise<Finding> {
  const { isOurs, obstacle } = await ownershipOf(run, planned, found.live);
  if (obstacle !== undefined) return { ...about(planned), action: 'refused', remarks: [`it ${obstacle}`] };
  const finding = await testPolicy(run, planned, { ...found, isOurs });
  if (isOurs || (finding.action !== 'change' && finding.action !== 'unchanged')) return finding;
  return { ...finding, remarks: [...finding.remarks, ADOPTED] };
}

const ADOPTED = 'adopted: it is there already, and this Release has not applied it';
/** What kubectl has created or edited is not told from the defaults of its fields. */
const NOT_TOLD = 'what kubectl has set and the source does not have goes as well, and is not shown';
const KEEP_OR_RECREATE = `an existing object cannot get this change: keep the old value, or annotate the object ${UPDATE_POLICY}: Recreate to have it deleted and created again`;

interface Held extends Live {
  isOurs: boolean;
}

async function testPolicy(run: DiffRun, planned: PlannedObject, found: Held): Promise<Finding> {
  const { updatePolicy } = planned;
  try {
    const would = await dryApply(run, planned, found.resource);
    const finding = compared(planned, found, would);
    return updatePolicy === 'Once' ? leftAlone(finding) : finding;
  } catch (error) {
    if (!(error instanceof ApiError) || isAccessDenied(error)) throw error;
    if (updatePolicy === 'Once') return { ...about(planned), action: 'unchanged', remarks: [] };
    if (isExcused(run, planned, error) || found.isJudgedByOld) return asItIsSent(planned, found.live);
    if (immutableFields(error).length === 0) return findingOf(about(planned), error);
    return updatePolicy === 'Recreate' && isOnlyImmutable(error)
      ? recreation(planned, found.live, error)
      : findingOf(about(planned), error, KEEP_OR_RECREATE);
  }
}

async function dryApply(
  run: DiffRun,
  { key, object }: PlannedObject,
  resource: ApiResource,
): Promise<KubeObject> {
  const body = run.render.bodies.get(keyString(key))?.text ?? '';
  const options = { fieldManager: FIELD_MANAGER, force: true, dryRun: true, body };
  return (await run.session.client.apply(resource, object, options)).object;
}

function compared(planned: PlannedObject, { live, isOurs }: Held, would: KubeObject): Finding {
  const before = comparable(live);
  const isHandedOver = !isOurs && takenOver(would, FIELD_MANAGER) !== undefined;
  const after = comparable(isHandedOver ? afterTakeOver(would) : would);
  return {
    ...about(planned),
    action: sameJson(before, after) ? 'unchanged' : 'change',
    remarks: isHandedOver && live.metadata.annotations?.[LAST_APPLIED] === undefined ? [NOT_TOLD] : [],
    before,
    after,
  };
}

function leftAlone(finding: Finding): Finding {
  if (finding.action === 'unchanged') return finding;
  const { key, wave } = finding;
  return {
    key,
    wave,
    action: 'unchanged',
    remarks: [`it differs, and is left as it is (${UPDATE_POLICY}: Once)`],
  };
}

/** Without what the API server would say: the fields of the source against what they are. */
function asItIsSent(planned: PlannedObject, live: KubeObject): Finding {
  const after = planned.object;
  const before = cutTo(after, comparable(live)) as KubeObject;
  const action = sameJson(before, after) ? 'unchanged' : 'change';
  return { ...about(planned), action, remarks: [], before, after };
}

function recreation(planned: PlannedObject, live: KubeObject, error: ApiError): Finding {
  const fields = immutableFields(error)
    .map(({ field }) => field)
    .filter((field) => field !== '');
  const what = fields.length === 0 ? 'a field that differs' : fields.join(', ');
  if (live.metadata.annotations?.[PRUNE] === PRUNE_DISABLED) {
    return {
      ...about(planned),
      action: 'refused',
      remarks: [
        `${what} cannot change, and it is not recreated, since it is annotated ${PRUNE}: ${PRUNE_DISABLED}`,
      ],
    };
  }
  return {
    ...asItIsSent(planned, live),
    action: 'recreate',
    remarks: [`${what} cannot change (${UPDATE_POLICY}: Recreate)`],
  };
}
