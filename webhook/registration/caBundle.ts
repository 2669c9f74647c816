import type { KubeObject } from '../../api/object.ts';
import type { KubeClient } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import type { Log } from '../log.ts';

interface WebhookConfiguration extends KubeObject {
  webhooks?: { name: string; clientConfig: { caBundle?: string } }[];
}

const configurations = (kind: string, plural: string): ApiResource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
  verbs: ['get', 'list', 'watch', 'patch'],
});

const RESOURCES = [
  configurations('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations'),
  configurations('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations'),
];

export interface CaBundleOptions {
  client: KubeClient;
  /** Of both configurations. */
  name: string;
  log: Log;
  onFault: (fault: ReflectorFault) => void;
  /** A configuration has changed: `write` is due. */
  onChange: () => void;
}

/** Keeps in both webhook configurations what the API server has to trust, whoever writes them meanwhile. */
export class CaBundle {
  readonly #options: CaBundleOptions;
  readonly #kinds: { resource: ApiResource; found: Reflector<WebhookConfiguration> }[];

  constructor(options: CaBundleOptions) {
    this.#options = options;
    const { client, name, onFault, onChange } = options;
    const fieldSelector = `metadata.name=${name}`;
    this.#kinds = RESOURCES.map((resource) => {
      const listWatch = listWatchOf<WebhookConfiguration>(client, resource, { fieldSelector });
      const found = new Reflector(listWatch, { onFault });
      found.addHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
      return { resource, found };
    });
  }

  /** Kinds of the configurations by which the API server does not trust this authority (PEM), as far as it has told. */
  distrusting(authority: string): string[] {
    return this.#kinds
      .filter(({ found }) => {
        const { webhooks } = found.get(this.#options.name) ?? {};
        return (
          webhooks?.every(({ clientConfig }) => decoded(clientConfig).includes(authority.trim())) !== true
        );
      })
      .map(({ resource }) => resource.kind);
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#kinds.map(({ found }) => found.run(signal)));
  }

  /** Writes the bundle (PEM) where it is not. */
  async write(bundle: string): Promise<void> {
    for (const { resource, found } of this.#kinds) {
      const configuration = found.get(this.#options.name);
      if (configuration !== undefined) await this.#patch(resource, configuration, bundle);
    }
  }

  async #patch(
    resource: ApiResource,
    { webhooks = [] }: WebhookConfiguration,
    bundle: string,
  ): Promise<void> {
    const { client, name, log } = this.#options;
    const stale = webhooks.filter(({ clientConfig }) => decoded(clientConfig) !== bundle);
    if (stale.length === 0) return;
    const caBundle = Buffer.from(bundle).toString('base64');
    // Merged by name: nothing else of a webhook is touched.
    const patch = { webhooks: stale.map((webhook) => ({ name: webhook.name, clientConfig: { caBundle } })) };
    await client.patch(resource, { name }, { type: 'strategic', patch });
    log.info({ kind: resource.kind, name }, 'the CA bundle was written');
  }
}

function decoded({ caBundle = '' }: { caBundle?: string }): string {
  return Buffer.from(caBundle, 'base64').toString('utf8');
}
