/** The webhook does not know enough yet: the API server asks another replica, or goes by its failure policy. */
export class NotReady extends Error {
  override name = 'NotReady';
}
