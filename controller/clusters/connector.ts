import { KubeClient } from '../../kube/client.ts';
import { connect } from '../../kube/config.ts';
import { Discovery } from '../../kube/discovery.ts';
import type { Fence } from '../../kube/lease/term.ts';
import { LocalAddressError } from '../../kube/localAddress.ts';
import type { ReflectorFault } from '../../kube/reflector.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { TargetCluster } from '../cluster.ts';
import { HookJobs } from '../hooks/hookJobs.ts';
import type { Observer } from '../observer/observer.ts';
import type { Services } from '../services.ts';
import { type FoundKubeconfig, readKubeconfig, refused } from './kubeconfig.ts';
import type { Link } from './link.ts';
import { type Reach, reach, type Unreached } from './reach.ts';

export interface ConnectorOptions {
  /** Kubeconfigs may lead to the machine itself, as those of tests do. */
  allowLoopback: boolean;
  /** Connections to other clusters write only as long as this process may, too. */
  fence: Fence;
  observe: (target: TargetCluster, onFault: (fault: ReflectorFault) => void) => Observer;
  /** Puts a Release into the queue. */
  wake: (release: string) => void;
}

/** Makes the connections to other clusters: a transport that only leads elsewhere, discovery, watches. */
export class Connector {
  readonly #home: Services;
  readonly #options: ConnectorOptions;
  readonly #onFault: (link: Link, fault: ReflectorFault) => void;

  constructor(
    home: Services,
    options: ConnectorOptions,
    onFault: (link: Link, fault: ReflectorFault) => void,
  ) {
    this.#home = home;
    this.#options = options;
    this.#onFault = onFault;
  }

  /**
   * Connects to a cluster, anew where its kubeconfig is another one, and asks whether it is there.
   * @param kubeconfig undefined for the cluster that the controller runs on
   */
  async reach(
    link: Link,
    kubeconfig: FoundKubeconfig | Unreached | undefined,
    signal: AbortSignal,
  ): Promise<Reach> {
    if (kubeconfig === undefined) {
      await link.disconnect();
      return await reach(this.#home.transport, signal);
    }
    if ('reason' in kubeconfig) {
      await link.disconnect();
      return kubeconfig;
    }
    if (link.connection?.text !== kubeconfig.text) {
      await link.disconnect();
      const refusal = await this.#connect(link, kubeconfig);
      if (refusal !== undefined) return refusal;
    }
    return link.connection === undefined
      ? { reason: 'Unreachable', message: 'the connection was closed' }
      : await reach(link.connection.transport, signal);
  }

  async #connect(link: Link, kubeconfig: FoundKubeconfig): Promise<Unreached | undefined> {
    const { name, namespace = '' } = kubeconfig.secret.metadata;
    const config = await readKubeconfig(kubeconfig);
    if ('reason' in config) return config;
    try {
      const connected = connect(config, {
        userAgent: `convoy/${packageJson.version} (controller)`,
        elsewhere: !this.#options.allowLoopback,
      });
      const transport = this.#options.fence(connected);
      const client = new KubeClient(transport);
      const target = {
        name: `${namespace}/${name}`,
        client,
        watcher: client,
        discovery: new Discovery(transport),
      };
      const onFault = (fault: ReflectorFault): void => this.#onFault(link, fault);
      const hookJobs = new HookJobs(client, { change: this.#options.wake, fault: onFault });
      const observer = this.#options.observe(target, onFault);
      link.connection = {
        text: kubeconfig.text,
        transport,
        services: { ...this.#home, transport, target, observer, hookJobs },
      };
      return undefined;
    } catch (error) {
      if (error instanceof LocalAddressError)
        return refused(name, `${error.message}, which only --allow-loopback-clusters allows`);
      throw error;
    }
  }
}
