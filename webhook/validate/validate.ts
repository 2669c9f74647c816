import { GROUP } from '../../api/group.ts';
import { syncRequestProblem } from '../../engine/admission/syncRequest.ts';
import type { ReleaseCache } from '../releases.ts';
import type { AdmissionRequest } from '../review/admissionReview.ts';
import { isExempt } from '../review/exempt.ts';
import { ALLOWED, type Verdict } from '../review/verdict.ts';
import type { Reviewer } from './reviewer.ts';
import { isUnchanged } from './unchanged.ts';

export interface ValidateServices {
  reviewer: Reviewer;
  releases: ReleaseCache;
  /** The identity of the controller, which is never refused. */
  controllerUser: string;
}

/** Releases that a message names before it only counts. */
const NAMED = 10;
/** Problems of one object, likewise. */
const MAX_PROBLEMS = 20;

/** Refuses what the controller would not do, and warns of what is doubtful (admission.md). */
export async function validate(request: AdmissionRequest, services: ValidateServices): Promise<Verdict> {
  if (request.kind.group !== GROUP || isExempt(request, services.controllerUser)) return ALLOWED;
  if (request.operation === 'DELETE') return validateDeletion(request, services.releases);
  return await validateWrite(request, services.reviewer);
}

async function validateWrite(
  { object, oldObject, namespace }: AdmissionRequest,
  reviewer: Reviewer,
): Promise<Verdict> {
  if (object === undefined) return ALLOWED;
  const request = syncRequestProblem(object, oldObject);
  const unread = request === undefined ? [] : [request];
  const unchanged = oldObject !== undefined && isUnchanged(object, oldObject);
  const review = unchanged ? undefined : await reviewer.review(object, namespace);
  const problems = [...unread, ...(review?.problems ?? [])];
  const warnings = review?.warnings ?? [];
  return problems.length === 0
    ? { allowed: true, warnings }
    : { allowed: false, reason: 'Invalid', message: listed(problems), warnings };
}

function listed(problems: readonly string[]): string {
  const lines = problems.slice(0, MAX_PROBLEMS);
  if (problems.length > lines.length) lines.push(`and ${problems.length - lines.length} more`);
  return lines.join('\n');
}

function validateDeletion({ kind, namespace, name }: AdmissionRequest, releases: ReleaseCache): Verdict {
  if (kind.kind !== 'Cluster') return ALLOWED;
  const users = releases.onCluster(namespace, name);
  if (users.length === 0) return ALLOWED;
  const more = users.length > NAMED ? ` and ${users.length - NAMED} more` : '';
  return {
    allowed: false,
    reason: 'Conflict',
    message: `Cluster ${name} is still used by Release ${users.slice(0, NAMED).join(', ')}${more}: delete them first`,
  };
}
