import { SYNC, SYNC_REQUESTED_BY } from '../../api/annotations.ts';
import type { AdmissionRequest } from '../review/admissionReview.ts';
import type { WantedAnnotations } from './jsonPatch.ts';

/**
 * Says who asks for a sync of a Release (admission.md): the user that the API server has authenticated, whenever the
 * request changes. Else the field keeps its value, and without a request it goes.
 */
export function requesterAnnotations({ user, object, oldObject }: AdmissionRequest): WantedAnnotations {
  const request = object?.metadata.annotations?.[SYNC];
  const before = oldObject?.metadata.annotations ?? {};
  const kept = request === before[SYNC] ? before[SYNC_REQUESTED_BY] : user;
  return { [SYNC_REQUESTED_BY]: request === undefined ? undefined : kept };
}
