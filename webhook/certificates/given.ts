import type { Log } from '../log.ts';
import { type KeyPair, servingOf } from './material.ts';
import type { SecretWatch } from './secret.ts';

/** Serves what others, such as cert-manager, keep in the Secret. */
export class GivenCertificate {
  readonly #secret: SecretWatch;
  readonly #log: Log;
  readonly #onServing: (serving: KeyPair) => void;

  constructor(secret: SecretWatch, log: Log, onServing: (serving: KeyPair) => void) {
    this.#secret = secret;
    this.#log = log;
    this.#onServing = onServing;
  }

  /** Takes over what the Secret holds. What cannot be served is told, and the last one stays. */
  keep(): undefined {
    if (!this.#secret.isKnown) return;
    const serving = servingOf(this.#secret.current?.data ?? {});
    if (serving !== undefined) this.#onServing(serving);
    else this.#log.warn('the Secret holds no certificate in tls.crt with its key in tls.key yet');
  }
}
