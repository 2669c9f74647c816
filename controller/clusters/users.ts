/** Which Releases are on which Cluster; both are named `namespace/name`. */
export class Users {
  readonly #byCluster = new Map<string, Set<string>>();
  readonly #clusterOf = new Map<string, string>();

  /** @returns whether that is new */
  add(cluster: string, release: string): boolean {
    if (this.#clusterOf.get(release) === cluster) return false;
    this.remove(release);
    this.#clusterOf.set(release, cluster);
    const users = this.#byCluster.get(cluster) ?? new Set();
    this.#byCluster.set(cluster, users.add(release));
    return true;
  }

  /** @returns the Cluster that it was on */
  remove(release: string): string | undefined {
    const cluster = this.#clusterOf.get(release);
    if (cluster === undefined) return undefined;
    this.#clusterOf.delete(release);
    const users = this.#byCluster.get(cluster);
    users?.delete(release);
    if (users?.size === 0) this.#byCluster.delete(cluster);
    return cluster;
  }

  of(cluster: string): Iterable<string> {
    return this.#byCluster.get(cluster) ?? [];
  }

  count(cluster: string): number {
    return this.#byCluster.get(cluster)?.size ?? 0;
  }
}
