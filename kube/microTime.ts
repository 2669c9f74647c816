/**
 * metav1.MicroTime: the API server accepts exactly six digits of fraction, and Date has three.
 * Throws RangeError for an invalid date.
 */
export function microTime(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}
