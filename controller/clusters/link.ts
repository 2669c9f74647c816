import { SECRETS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { ReflectorFault } from '../../kube/reflector.ts';
import type { Transport } from '../../kube/transport.ts';
import { versionReflector } from '../../kube/versionWatch.ts';
import type { Services } from '../services.ts';
import type { Reach } from './reach.ts';

/** A connection to one cluster, by one kubeconfig. */
export interface Connection {
  /** The text that it was made from: another one makes another connection. */
  text: string;
  transport: Transport;
  /** What a reconcile of a Release on it works with. */
  services: Services;
}

/** What the controller holds of one Cluster: how it was found last, the connection, the watch of its Secret. */
export class Link {
  /** Resolves when it is known for the first time whether the cluster is there. */
  readonly known = Promise.withResolvers<undefined>();
  reach: Reach | undefined;
  connection: Connection | undefined;
  #secret: { name: string; stop: AbortController } | undefined;

  /** Watches the Secret of the kubeconfig, of which nothing is kept. */
  follow(
    client: KubeClient,
    { namespace, name }: { namespace: string; name: string },
    on: { change: () => void; fault: (fault: ReflectorFault) => void; crowd: () => number },
  ): void {
    if (this.#secret?.name === name) return;
    this.#secret?.stop.abort();
    const stop = new AbortController();
    this.#secret = { name, stop };
    const scope = { namespace, fieldSelector: `metadata.name=${name}` };
    const reflector = versionReflector(client, SECRETS, scope, { onFault: on.fault, crowd: on.crowd });
    reflector.addHandler({ onAdd: on.change, onUpdate: on.change, onDelete: on.change });
    void reflector.run(stop.signal);
  }

  /** Ends the connection; what is in flight on it fails. */
  async disconnect(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    connection?.services.observer.stop();
    connection?.services.hookJobs.stop();
    await connection?.transport.close();
  }

  async close(): Promise<void> {
    this.#secret?.stop.abort();
    this.#secret = undefined;
    this.known.resolve(undefined);
    await this.disconnect();
  }
}
