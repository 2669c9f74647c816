import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import type { ReleaseInventorySpec } from '../../../api/inventory.ts';
import type { Condition, Release, ReleaseSpec } from '../../../api/release.ts';
import { conditionOf } from '../../../controller/release/conditions.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import type { ControlPlane } from '../../controlplane/controlPlane.ts';
import { installCrds } from '../../controlplane/crds.ts';
import {
  type Cluster,
  kubectl,
  useCluster,
  useControlPlane,
  useNamespace,
} from '../../controlplane/fixture.ts';
import { type ControllerProcess, useController } from '../../support/controllerProcess.ts';
import { createRelease, patchRelease, releasesPath, waitForReady } from '../../support/releases.ts';

export const NAME = 'app';

type TestCluster = Pick<Cluster, 'api' | 'kubectl' | 'kubeconfigPath'>;

/** What the tests of Releases do, on the worker's cluster with a controller of their own; one namespace for each test. */
export class Releases {
  readonly cluster: TestCluster;
  readonly #namespace: () => string;
  readonly #controller: () => ControllerProcess;

  constructor(cluster: TestCluster, namespace: () => string, controller: () => ControllerProcess) {
    this.cluster = cluster;
    this.#namespace = namespace;
    this.#controller = controller;
  }

  get namespace(): string {
    return this.#namespace();
  }

  get controller(): ControllerProcess {
    return this.#controller();
  }

  async create(spec: ReleaseSpec, { name = NAME, annotations = {} } = {}): Promise<Release> {
    return await createRelease(this.cluster.api, { namespace: this.namespace, name, spec, annotations });
  }

  /** Merge patch. */
  async patch(patch: object, name = NAME): Promise<Release> {
    return await patchRelease(this.cluster.api, { namespace: this.namespace, name }, patch);
  }

  /** Makes this text the source, whatever it was before. */
  async inline(text: string, name = NAME): Promise<Release> {
    return await this.patch({ spec: { source: { inline: text, configMap: null } } }, name);
  }

  /** Has every object sent again, drift or not, and waits until that is done. */
  async sync(id = 'again', name = NAME): Promise<Release> {
    await this.patch(
      { metadata: { annotations: { 'convoy.kumodo.io/sync': JSON.stringify({ id }) } } },
      name,
    );
    return await this.until(
      ({ status }) =>
        status?.sync?.recent?.some((request) => request.id === id && request.result === 'Applied') === true,
      name,
    );
  }

  /** Waits until Ready has this reason for the current generation. */
  async ready(reason: string, name = NAME, timeoutMs?: number): Promise<Release> {
    return await waitForReady(this.cluster.api, { namespace: this.namespace, name }, reason, timeoutMs);
  }

  /** Waits until the Release satisfies the predicate. */
  async until(predicate: (release: Release) => boolean, name = NAME): Promise<Release> {
    const path = releasesPath(this.namespace);
    const found = await this.cluster.api.waitForNamed(path, name, (object) =>
      predicate(object as unknown as Release),
    );
    return found as unknown as Release;
  }

  /** The Release as it is now. */
  async get(name = NAME): Promise<Release> {
    return (await this.cluster.api.must(
      'GET',
      `${releasesPath(this.namespace)}/${name}`,
    )) as unknown as Release;
  }

  /** The object at a path below the test's namespace (`configmaps/web`), undefined where there is none. */
  async find(path: string, api = '/api/v1'): Promise<ApiObject | undefined> {
    return await this.findAt(`${api}/namespaces/${this.namespace}/${path}`);
  }

  /** The object at a path, undefined where there is none. */
  async findAt(path: string): Promise<ApiObject | undefined> {
    const { status, body } = await this.cluster.api.request('GET', path);
    if (status === 404) return undefined;
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  /** Waits until there is no object at a path. */
  async untilGone(collection: string, name: string): Promise<void> {
    await this.cluster.kubectl(
      'wait',
      '--for=delete',
      '--timeout=90s',
      '-n',
      this.namespace,
      `${collection}/${name}`,
    );
  }

  async createConfigMap(name: string, content: object, labels: Record<string, string> = {}): Promise<void> {
    await this.cluster.api.must('POST', `/api/v1/namespaces/${this.namespace}/configmaps`, {
      metadata: { name, labels },
      ...content,
    });
  }

  async patchConfigMap(name: string, patch: object): Promise<void> {
    await this.cluster.api.must('PATCH', `/api/v1/namespaces/${this.namespace}/configmaps/${name}`, patch);
  }

  /** Entries of all inventory shards in the test's namespace. */
  async inventory(): Promise<ApiObject[]> {
    const path = `/apis/core.convoy.kumodo.io/v1alpha1/namespaces/${this.namespace}/releaseinventories`;
    const { items } = (await this.cluster.api.must('GET', path)) as unknown as { items: ApiObject[] };
    return items;
  }

  /** Waits for an Event about the Release. */
  async event(type: string, reason: string, part: string): Promise<ApiObject> {
    const path = `/apis/events.k8s.io/v1/namespaces/${this.namespace}/events`;
    return await this.cluster.api.waitFor(
      path,
      (event) => event['type'] === type && event['reason'] === reason && String(event['note']).includes(part),
    );
  }
}

/**
 * Call it at the top of a test file.
 * @param args further flags of the controller
 */
export function useReleases(args: readonly string[] = []): Releases {
  const cluster = useCluster();
  const controller = useController(cluster, args);
  return new Releases(cluster, useNamespace(cluster), controller);
}

/**
 * The same on a control plane of the file's own, whose audit log tells who asked for what and when.
 * @param options `kwok`: pods run, or pretend to
 * Call it at the top of a test file.
 */
export function useAuditedReleases({ kwok = false } = {}): { releases: Releases; plane: () => ControlPlane } {
  const plane = useControlPlane({ audit: true, kwok });
  const cluster: TestCluster = {
    get api() {
      return plane().api;
    },
    get kubeconfigPath() {
      return plane().kubeconfigPath;
    },
    kubectl: (...args) => kubectl(plane().binDir, plane().kubeconfigPath, args),
  };
  beforeAll(() => installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath));
  const controller = useController(cluster);
  return { releases: new Releases(cluster, useNamespace(cluster), controller), plane };
}

/** A condition, without what every write of it changes. */
export function condition(release: Release, type: Condition['type']): Partial<Condition> | undefined {
  const found = conditionOf(release.status?.conditions, type);
  if (found === undefined) return undefined;
  const { status, reason, message } = found;
  return { type, status, reason, message };
}

/** Documents of one YAML text. */
export function documents(...texts: readonly string[]): string {
  return texts.join('---\n');
}

/** Names of the objects that an inventory shard lists. */
export function namesIn(shard: ApiObject): string[] {
  return (shard['spec'] as ReleaseInventorySpec).entries.map(({ name }) => name);
}
