import type { KubeObject } from '../../api/object.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { isAlreadyExists, isConflict } from '../../kube/errors.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { storeKey } from '../../kube/store.ts';
import type { Log } from '../log.ts';
import { fromData, type Material, namesOf, toData, validityOf } from './material.ts';
import { nextStep, type Step } from './schedule.ts';
import { takeStep } from './steps.ts';

const SECRETS: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'create', 'patch'],
};

interface Secret extends KubeObject {
  data?: Record<string, string>;
}

export interface KeeperOptions {
  client: KubeClient;
  /** The Secret that all replicas share. */
  secret: Required<ObjectName>;
  /** DNS names and IP addresses that are served. */
  names: readonly string[];
  /** Of a serving certificate. */
  lifetimeMs: number;
  /** Whether the API server trusts an authority (PEM). */
  isTrusted: (authority: string) => boolean;
  now: () => Date;
  log: Log;
  onFault: (fault: ReflectorFault) => void;
  /** Told of each state of the Secret in which it holds certificates. */
  onMaterial: (material: Material) => void;
  /** The Secret has changed: `keep` is due. */
  onChange: () => void;
}

/**
 * Keeps the certificates in a Secret fresh. Any replica may do it: each write names the version that was read, so that of
 * two the later one fails and takes over what the other has made.
 */
export class CertificateKeeper {
  readonly #options: KeeperOptions;
  readonly #secrets: Reflector<Secret>;

  constructor(options: KeeperOptions) {
    this.#options = options;
    const { client, secret, onFault, onChange } = options;
    this.#secrets = new Reflector(
      listWatchOf<Secret>(client, SECRETS, {
        namespace: secret.namespace,
        fieldSelector: `metadata.name=${secret.name}`,
      }),
      { onFault },
    );
    this.#secrets.addHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
  }

  async run(signal: AbortSignal): Promise<void> {
    void this.#secrets.synced.then(this.#options.onChange, () => undefined);
    await this.#secrets.run(signal);
  }

  /**
   * Does the step that is due, if any, and tells of what the Secret holds.
   * @returns how long until the next one, in milliseconds; undefined where a change of the Secret will tell
   */
  async keep(): Promise<number | undefined> {
    if (!this.#secrets.hasSynced) return undefined;
    const { names, lifetimeMs, isTrusted, now, onMaterial } = this.#options;
    const secret = this.#secrets.get(storeKey(this.#options.secret));
    const material = secret === undefined ? undefined : fromData(secret.data ?? {});
    const nowMs = now().getTime();
    const at = { names, lifetimeMs, isAnnounced: isTrusted(material?.next?.cert ?? '') };
    const { step, atMs } = nextStep(material, at, nowMs);
    if (atMs > nowMs) {
      if (material !== undefined) onMaterial(material);
      return atMs - nowMs;
    }
    await this.#take(step, material, secret);
    return undefined;
  }

  async #take(step: Step, material: Material | undefined, secret: Secret | undefined): Promise<void> {
    const { names, lifetimeMs, now, log } = this.#options;
    const made = await takeStep(step, material, { names, lifetimeMs }, now());
    try {
      await this.#write(made, secret);
      const until = new Date(validityOf(made.serving.cert).toMs).toISOString();
      log.info({ step, names: namesOf(made.serving.cert), until }, 'certificates were renewed');
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error)) throw error;
      log.info({ step }, 'another replica has renewed the certificates');
    }
  }

  async #write(material: Material, secret: Secret | undefined): Promise<void> {
    const { client, secret: at } = this.#options;
    const data = toData(material);
    if (secret !== undefined) {
      const { resourceVersion } = secret.metadata;
      await client.patch(SECRETS, at, { type: 'merge', patch: { metadata: { resourceVersion }, data } });
      return;
    }
    const present = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
    const created = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: at,
      type: 'kubernetes.io/tls',
      data: present,
    };
    await client.create(SECRETS, created);
  }
}
