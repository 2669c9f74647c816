import type { AdmissionRequest } from './admissionReview.ts';

/**
 * Whose requests are let through as they are, so that no finalizer hangs on the webhook: the controller's, by the
 * identity that the API server has authenticated, and all for objects that are being deleted. The registration says
 * the same; it may be older, or changed.
 */
export function isExempt({ user, object }: AdmissionRequest, controllerUser: string): boolean {
  return user === controllerUser || object?.metadata.deletionTimestamp !== undefined;
}
