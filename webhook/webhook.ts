import { MUTATE_PATH, VALIDATE_PATH } from '../engine/admission/registration.ts';
import type { KubeClient } from '../kube/client.ts';
import type { ReflectorFault } from '../kube/reflector.ts';
import { WorkQueue } from '../kube/workQueue.ts';
import { CertificateKeeper } from './certificates/keeper.ts';
import { GivenCertificate } from './certificates/given.ts';
import { bundleOf, type KeyPair, type Material, validityOf } from './certificates/material.ts';
import { SecretWatch } from './certificates/secret.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { mutate } from './mutate/mutate.ts';
import type { Options } from './options.ts';
import { CaBundle } from './registration/caBundle.ts';
import { ReleaseCache } from './releases.ts';
import { createApp, type Handler } from './server/app.ts';
import { SecureServer } from './server/listen.ts';
import { NotReady } from './server/notReady.ts';
import { Reviewer } from './validate/reviewer.ts';
import { validate } from './validate/validate.ts';

export interface WebhookServices {
  client: KubeClient;
  options: Options;
  /** Of its Secret and its Service. */
  namespace: string;
  metrics: Metrics;
  log: Log;
  now: () => Date;
}

/** Waits between attempts that failed (ms). */
const BACKOFF = { baseMs: 200, maxMs: 30_000 };
const DRAIN_MS = 10_000;
const CERTIFICATES = 'certificates';
const REGISTRATION = 'registration';

/** The admission webhook: its caches, its certificates and its server. */
export class Webhook {
  readonly #services: WebhookServices;
  readonly #releases: ReleaseCache;
  readonly #reviewer = new Reviewer();
  readonly #upkeep: WorkQueue;
  readonly #secret: SecretWatch;
  readonly #certificates: CertificateKeeper | GivenCertificate;
  readonly #registration: CaBundle | undefined;
  readonly #certified = Promise.withResolvers<KeyPair>();
  #material: Material | undefined;
  #serving: KeyPair | undefined;
  #server: SecureServer | undefined;

  constructor(services: WebhookServices) {
    this.#services = services;
    // It may be told to end before anybody waits for the certificate.
    this.#certified.promise.catch(() => undefined);
    const { client, options, namespace, log, now } = services;
    const onFault = (fault: ReflectorFault): void => this.#fault(fault);
    this.#upkeep = new WorkQueue({
      onHandlerError: (task, error) => log.error({ task, err: error }, 'upkeep failed and is tried again'),
      backoff: BACKOFF,
    });
    this.#releases = new ReleaseCache(client, onFault);
    const at = { namespace, name: options.secretName };
    const onChange = (): void => this.#upkeep.add(CERTIFICATES);
    const secret = new SecretWatch({ client, secret: at, onFault, onChange });
    this.#secret = secret;
    this.#certificates = options.givenCertificates
      ? new GivenCertificate(secret, log, (serving) => this.#serve(serving))
      : new CertificateKeeper({
          client,
          at,
          secret,
          names: [`${options.service}.${namespace}.svc`, ...options.hostnames],
          lifetimeMs: options.certificateLifetimeMs,
          isTrusted: (authority) => this.#distrusting(authority).length === 0,
          now,
          log,
          onMaterial: (material) => this.#use(material),
        });
    this.#registration =
      options.configurationName === undefined
        ? undefined
        : new CaBundle({
            client,
            name: options.configurationName,
            log,
            onFault,
            onChange: () => this.#upkeep.add(REGISTRATION),
          });
  }

  /** Serves until the signal aborts, then answers what is under way. */
  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#services;
    const running = [
      this.#releases.run(signal),
      this.#secret.run(signal),
      ...(this.#registration === undefined ? [] : [this.#registration.run(signal)]),
      this.#upkeep.run((task) => this.#maintain(task), { concurrency: 2, signal }),
    ];
    signal.addEventListener('abort', () => this.#certified.reject(signal.reason));
    await this.#reviewer.load();
    const server = await this.#listen(signal);
    await ended(signal);
    log.info('draining');
    await server?.drain(DRAIN_MS);
    await this.#upkeep.shutDown();
    await Promise.all(running);
    await this.#reviewer.close();
  }

  async #listen(signal: AbortSignal): Promise<SecureServer | undefined> {
    const { options, log } = this.#services;
    try {
      await this.#certified.promise;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
    const server = new SecureServer(this.#app(), this.#serving ?? (await this.#certified.promise));
    this.#server = server;
    const url = await server.listen(options.listen.host, options.listen.port);
    log.info({ url }, 'started');
    return server;
  }

  #app() {
    const { metrics, log, options } = this.#services;
    const services = {
      reviewer: this.#reviewer,
      releases: this.#releases,
      controllerUser: options.controllerUser,
    };
    const informed =
      (handler: Handler): Handler =>
      (request) => {
        if (!this.#releases.ready) throw new NotReady('the first list of Releases is not complete yet');
        return handler(request);
      };
    const handlers = {
      [VALIDATE_PATH]: informed((request) => validate(request, services)),
      [MUTATE_PATH]: informed((request) => mutate(request, services)),
    };
    return createApp({ handlers, notReady: () => this.#notReady(), metrics, log });
  }

  #notReady(): string | undefined {
    if (!this.#releases.ready) return 'the first list of Releases is not complete yet';
    const [kind] = this.#distrusting(this.#material?.authority.cert ?? '');
    return kind === undefined ? undefined : `its CA is not in the ${kind} yet`;
  }

  /** Where the registration is others' business, so is trust. */
  #distrusting(authority: string): string[] {
    return this.#registration?.distrusting(authority) ?? [];
  }

  async #maintain(task: string): Promise<void> {
    if (task === REGISTRATION) {
      if (this.#material !== undefined) await this.#registration?.write(bundleOf(this.#material));
      this.#upkeep.forget(task);
      return;
    }
    const againMs = await this.#certificates.keep();
    this.#upkeep.forget(task);
    if (againMs !== undefined) this.#upkeep.addAfter(task, againMs);
  }

  #use(material: Material): void {
    this.#material = material;
    this.#upkeep.add(REGISTRATION);
    this.#serve(material.serving);
  }

  #serve(serving: KeyPair): void {
    this.#serving = serving;
    this.#services.metrics.certificateExpiry.set(validityOf(serving.cert).toMs / 1000);
    this.#server?.use(serving);
    this.#certified.resolve(serving);
  }

  #fault({ during, error }: ReflectorFault): void {
    this.#services.metrics.watchFaults.inc({ during });
    this.#services.log.warn({ during, err: error }, 'a list or watch ended in an error; it is begun again');
  }
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
