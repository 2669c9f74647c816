import { Piscina } from 'piscina';
import { API_VERSION, RESOURCES } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import type { Review } from '../../engine/admission/review.ts';
import { reviewObject } from '../../engine/admission/reviewObject.ts';

/** Characters of source and mutations from which reading them would hold up other requests. */
const LARGE = 32 * 1024;
/** Longer than the API server waits (ms). */
const TIMEOUT_MS = 10_000;
const WORKER_MEMORY_MIB = 512;
/** More large sources that wait than can be read while an API server waits for the answer. */
const MAX_QUEUE = 32;

/** What a worker thread is asked for. */
export interface ReviewJob {
  object: KubeObject;
  namespace: string;
}

/** Reviews objects, those with a large source in a worker thread. */
export class Reviewer {
  readonly #pool = new Piscina<ReviewJob, Review | undefined>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 2,
    maxQueue: MAX_QUEUE,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY_MIB },
  });

  /** Compiles the schemas, which the first review would do while an API server waits. */
  async load(): Promise<void> {
    for (const kind of Object.keys(RESOURCES)) await reviewObject(blank(kind), '');
  }

  /** As reviewObject. */
  async review(object: KubeObject, namespace: string): Promise<Review | undefined> {
    if (sizeOf(object) < LARGE) return await reviewObject(object, namespace);
    return await this.#pool.run({ object, namespace }, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

function blank(kind: string): KubeObject {
  return { apiVersion: API_VERSION, kind, metadata: { name: '' } };
}

/** What mutations write is multiplied by the objects. */
function sizeOf({ spec }: KubeObject): number {
  return spec === undefined ? 0 : JSON.stringify(spec).length;
}
