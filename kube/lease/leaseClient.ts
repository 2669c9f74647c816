import type { KubeObject } from '../../api/object.ts';
import { NAMESPACES } from '../builtIn.ts';
import type { KubeClient, ObjectName } from '../client.ts';
import { isAlreadyExists, isNotFound } from '../errors.ts';
import { type Lease, type LeaseRecord, LEASES } from './record.ts';

/** One Lease of an API server. Every method throws as KubeClient does. */
export class LeaseClient {
  readonly #client: KubeClient;
  readonly #at: ObjectName & { namespace: string };

  constructor(client: KubeClient, at: ObjectName & { namespace: string }) {
    this.#client = client;
    this.#at = at;
  }

  /** `namespace/name`. */
  get name(): string {
    return `${this.#at.namespace}/${this.#at.name}`;
  }

  /** @returns undefined where there is none */
  async get(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#client.get<Lease>(LEASES, this.#at, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Makes its namespace too, where that is missing. Throws ApiError 409 where somebody else was first. */
  async create(spec: LeaseRecord, signal: AbortSignal): Promise<Lease> {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: this.#at, spec };
    try {
      return await this.#client.create<Lease>(LEASES, lease, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#createNamespace(signal);
      return await this.#client.create<Lease>(LEASES, lease, { signal });
    }
  }

  /** Writes over the very state that was read. Throws ApiError 409 where it has changed since. */
  async replace({ metadata }: Lease, spec: LeaseRecord, signal: AbortSignal): Promise<Lease> {
    const { uid, resourceVersion } = metadata;
    const patch = { metadata: { uid, resourceVersion }, spec };
    return await this.#client.patch<Lease>(LEASES, this.#at, { type: 'merge', patch }, { signal });
  }

  /** Its states from one on, undefined where it was deleted; until the server ends the watch. */
  async *changes(since: Lease, signal: AbortSignal): AsyncGenerator<Lease | undefined, void, undefined> {
    const { name, namespace } = this.#at;
    const { resourceVersion } = since.metadata;
    const scope = { namespace, fieldSelector: `metadata.name=${name}` };
    const from = resourceVersion === undefined ? {} : { resourceVersion };
    for await (const { type, object } of this.#client.watch<Lease>(LEASES, { ...scope, ...from, signal }))
      if (type !== 'BOOKMARK') yield type === 'DELETED' ? undefined : object;
  }

  async #createNamespace(signal: AbortSignal): Promise<void> {
    const { namespace: name } = this.#at;
    const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await this.#client.create(NAMESPACES, namespace, { signal }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}
