import { RESOURCES } from '../../api/group.ts';
import type { AdmissionRequest } from '../review/admissionReview.ts';
import { isExempt } from '../review/exempt.ts';
import { ALLOWED, type Verdict } from '../review/verdict.ts';
import { annotationPatch } from './jsonPatch.ts';
import { requesterAnnotations } from './requestedBy.ts';
import { type ReleasesByLabels, waveAnnotations } from './syncWave.ts';

export interface MutateServices {
  releases: ReleasesByLabels;
  /** The identity of the controller, which alone may name a caller that it has authenticated. */
  controllerUser: string;
}

/** Writes what only the webhook may or can write (admission.md). Doing it twice changes nothing more. */
export function mutate(request: AdmissionRequest, { releases, controllerUser }: MutateServices): Verdict {
  if (request.object === undefined || isExempt(request, controllerUser)) return ALLOWED;
  const wanted = {
    ...waveAnnotations(request, releases),
    ...(isRelease(request) ? requesterAnnotations(request) : {}),
  };
  return { allowed: true, patch: annotationPatch(request.object.metadata.annotations, wanted) };
}

function isRelease({ kind: { group, kind } }: AdmissionRequest): boolean {
  return group === RESOURCES.Release.group && kind === RESOURCES.Release.kind;
}
