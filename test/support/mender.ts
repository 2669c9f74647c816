import type { ApiAccess, ApiObject } from '../controlplane/apiAccess.ts';
import { patchRelease } from './releases.ts';
import { manifestsOf, nameInWave, type TroubledRelease } from './troubledReleases.ts';

const FAIL = 'convoy.kumodo.io/test-fail';

interface Pod extends ApiObject {
  metadata: ApiObject['metadata'] & {
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
    deletionTimestamp?: string;
  };
  status?: { containerStatuses?: { ready: boolean }[] };
}

interface Patient {
  release: TroubledRelease;
  wave: number;
}

/** Whoever is on call: sees pods that fail and mends each once, by what helps it. */
export class Mender {
  /** Resolves when all that was to fail has failed, and is mended. */
  readonly done: Promise<undefined>;
  readonly #api: ApiAccess;
  readonly #patients = new Map<string, Patient>();
  readonly #renewed = new Map<TroubledRelease, Set<number>>();
  readonly #finished = Promise.withResolvers<undefined>();

  constructor(api: ApiAccess, releases: readonly TroubledRelease[]) {
    this.#api = api;
    this.done = this.#finished.promise;
    for (const release of releases) {
      for (const [wave, { fail }] of release.waves.entries()) {
        if (fail === undefined) continue;
        this.#patients.set(`${release.namespace}/${nameInWave(release, wave)}`, { release, wave });
      }
    }
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#api.follow('/api/v1/pods', (pod) => this.#see(pod), signal);
  }

  /** Workloads that have not failed so far. */
  get waiting(): string[] {
    return [...this.#patients.keys()];
  }

  async #see(pod: Pod): Promise<void> {
    const id = `${pod.metadata.namespace ?? ''}/${pod.metadata.labels?.['app'] ?? ''}`;
    const patient = this.#patients.get(id);
    if (patient === undefined || !isFailing(pod)) return;
    await this.#mend(patient, pod);
    this.#patients.delete(id);
    if (this.#patients.size === 0) this.#finished.resolve(undefined);
  }

  async #mend({ release, wave }: Patient, { metadata }: Pod): Promise<void> {
    if (release.waves[wave]?.mend === 'manifest') {
      const renewed = (this.#renewed.get(release) ?? new Set()).add(wave);
      this.#renewed.set(release, renewed);
      await patchRelease(this.#api, release, { spec: { source: { inline: manifestsOf(release, renewed) } } });
      return;
    }
    await this.#api.must('PATCH', `/api/v1/namespaces/${release.namespace}/pods/${metadata.name}`, {
      metadata: { annotations: { [FAIL]: null } },
    });
  }
}

/** Its trouble has shown: one that is to crash later is well before. */
function isFailing({ metadata, status }: Pod): boolean {
  const isToFail = metadata.annotations?.[FAIL] !== undefined && metadata.deletionTimestamp === undefined;
  return isToFail && (status?.containerStatuses?.some(({ ready }) => !ready) ?? false);
}
