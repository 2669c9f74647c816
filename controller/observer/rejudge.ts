import { RELEASE_LABEL, RELEASE_NAMESPACE_LABEL } from '../../api/annotations.ts';
import { isForbidden } from '../../kube/errors.ts';
import { labelsOf } from '../../api/ownership.ts';
import type { Observed } from './observed.ts';
import type { TrackedObject } from './trackedObject.ts';
import type { TypeWatch } from './typeWatch.ts';

/** What there is to be judged again, and how. */
interface Source {
  /** Objects of all Releases. */
  all: () => Iterable<TrackedObject>;
  /** It was judged by another rule than the one that counts now. */
  isOutdated: (tracked: TrackedObject) => boolean;
  watchOf: (tracked: TrackedObject) => TypeWatch | undefined;
  judged: (observed: Observed) => void;
  /** Reads and judges one object. */
  look: (tracked: TrackedObject) => Promise<void>;
}

/**
 * Judges objects again whose rules have changed. Whole objects are not kept, so that each type is listed once: for one
 * Release where only its rules are others, for all at once where a rule set is.
 */
export class Rejudgement {
  readonly #source: Source;
  readonly #running = new Map<TypeWatch, Promise<void>>();

  constructor(source: Source) {
    this.#source = source;
  }

  /**
   * Ends when these have been judged by the rules that count.
   * @throws ApiError, ConnectionError where they cannot be read
   */
  async bring(objects: readonly TrackedObject[]): Promise<void> {
    const { isOutdated, watchOf, look } = this.#source;
    const watches = new Set(objects.filter(isOutdated).map(watchOf));
    for (const watch of watches) {
      if (watch === undefined) continue;
      const own = objects.filter((tracked) => watchOf(tracked) === watch);
      for (let running = this.#running.get(watch); running !== undefined; running = this.#running.get(watch))
        await running;
      if (own.some(isOutdated)) await this.#list(watch);
    }
    // Those that no list shows: they have no label, or may only be read one by one.
    for (const tracked of objects.filter(isOutdated)) await look(tracked);
  }

  async #list(watch: TypeWatch): Promise<void> {
    const listing = this.#judge(watch).finally(() => this.#running.delete(watch));
    this.#running.set(watch, listing);
    await listing;
  }

  async #judge(watch: TypeWatch): Promise<void> {
    const { all, isOutdated, watchOf, judged } = this.#source;
    const outdated = [...all()].filter((tracked) => watchOf(tracked) === watch && isOutdated(tracked));
    try {
      const observed = await watch.rejudge(selectorOf(new Set(outdated.map(({ release }) => release))));
      for (const one of observed) judged(one);
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }
}

function selectorOf(releases: ReadonlySet<string>): string {
  const [only = '', ...others] = releases;
  if (others.length > 0) return RELEASE_LABEL;
  const [namespace = '', name = ''] = labelsOf(only).split('/');
  return `${RELEASE_LABEL}=${name},${RELEASE_NAMESPACE_LABEL}=${namespace}`;
}
