import type { KubeObject } from '../../api/object.ts';
import { declaresConditions } from '../../engine/health/declared.ts';
import type { KindFacts } from '../../engine/health/subject.ts';
import { CUSTOM_RESOURCE_DEFINITIONS, STORAGE_CLASSES } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { crdResources } from '../../kube/crdResources.ts';
import { isForbidden, isNotFound } from '../../kube/errors.ts';
import { type ApiResource, resourceApiVersion } from '../../kube/resource.ts';

/** Kubernetes' own groups, which no CustomResourceDefinition brings; the Gateway API is named like one of them. */
const BUILT_IN = /^([a-z]*|(?!gateway\.).*\.k8s\.io)$/;

/** What objects do not tell of the health of their kinds: CustomResourceDefinitions (asked once) and StorageClasses do. */
export class KindFactsCache {
  readonly #client: KubeClient;
  readonly #known = new Map<string, Promise<KindFacts>>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /**
   * A kind that has no definition, or one that nobody may read, tells nothing.
   * @throws ApiError, ConnectionError where it cannot be told now
   */
  async of(resource: ApiResource): Promise<KindFacts> {
    if (resource.group === '' && resource.kind === 'PersistentVolumeClaim') return await this.#ofClaims();
    if (BUILT_IN.test(resource.group)) return {};
    const id = idOf(resource);
    const facts = this.#known.get(id) ?? this.#ask(resource);
    this.#known.set(id, facts);
    try {
      return await facts;
    } catch (error) {
      this.#known.delete(id);
      throw error;
    }
  }

  /** Takes what a definition tells that is at hand anyway. */
  learn(definition: KubeObject): void {
    for (const resource of crdResources(definition)) {
      const facts = { declaresConditions: declaresConditions(definition, resource.version) };
      this.#known.set(idOf(resource), Promise.resolve(facts));
    }
  }

  /** Asked each time: classes come and go, and claims are few. */
  async #ofClaims(): Promise<KindFacts> {
    try {
      const { items } = await this.#client.listAll(STORAGE_CLASSES);
      const late = items.filter((item) => item['volumeBindingMode'] === 'WaitForFirstConsumer');
      return { lateBinding: new Set(late.map(({ metadata }) => metadata.name)) };
    } catch (error) {
      if (isForbidden(error)) return {};
      throw error;
    }
  }

  async #ask({ group, plural, version }: ApiResource): Promise<KindFacts> {
    try {
      const definition: KubeObject = await this.#client.get(CUSTOM_RESOURCE_DEFINITIONS, {
        name: `${plural}.${group}`,
      });
      return { declaresConditions: declaresConditions(definition, version) };
    } catch (error) {
      if (isNotFound(error) || isForbidden(error)) return {};
      throw error;
    }
  }
}

function idOf(resource: ApiResource): string {
  return `${resourceApiVersion(resource)}|${resource.kind}`;
}
