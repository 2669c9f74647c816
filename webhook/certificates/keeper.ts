import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { isAlreadyExists, isConflict } from '../../kube/errors.ts';
import type { Log } from '../log.ts';
import { fromData, type Material, namesOf, toData, validityOf } from './material.ts';
import { nextStep, type Step } from './schedule.ts';
import { type Secret, SECRETS, type SecretWatch } from './secret.ts';
import { takeStep } from './steps.ts';

export interface KeeperOptions {
  client: KubeClient;
  /** The Secret that all replicas share. */
  at: Required<ObjectName>;
  secret: SecretWatch;
  /** DNS names and IP addresses that are served. */
  names: readonly string[];
  /** Of a serving certificate. */
  lifetimeMs: number;
  /** Whether the API server trusts an authority (PEM). */
  isTrusted: (authority: string) => boolean;
  now: () => Date;
  log: Log;
  /** Told of each state of the Secret in which it holds certificates. */
  onMaterial: (material: Material) => void;
}

/**
 * Keeps the certificates in a Secret fresh. Any replica may do it: each write names the version that was read, so that of
 * two the later one fails and takes over what the other has made.
 */
export class CertificateKeeper {
  readonly #options: KeeperOptions;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /**
   * Does the step that is due, if any, and tells of what the Secret holds.
   * @returns how long until the next one, in milliseconds; undefined where a change of the Secret will tell
   */
  async keep(): Promise<number | undefined> {
    const { names, lifetimeMs, isTrusted, now, onMaterial, secret: watch } = this.#options;
    if (!watch.isKnown) return undefined;
    const secret = watch.current;
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
    const { client, at } = this.#options;
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
