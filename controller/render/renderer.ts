import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import { versionOf } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { SourceFile } from '../../engine/render/files.ts';
import type { RenderJob, RenderResult } from '../../engine/render/job.ts';
import { renderJobOf, scopesOf, unknownKindsProblem } from '../../engine/render/releaseJob.ts';
import { releaseRenderOf } from '../../engine/render/releaseRender.ts';
import type { Fetched } from '../../engine/source/fetched.ts';
import type { FetchedVariables } from '../../engine/source/variables.ts';
import type { TargetCluster } from '../cluster.ts';
import { Halt } from '../release/halt.ts';
import { type PackedOutcome, type PackedResult, renderAndPack } from './renderAndPack.ts';
import type { Rendered } from './rendered.ts';

/** Sources up to this size are rendered at once: a worker thread would take longer to start (characters). */
const INLINE_LIMIT = 64 * 1024;
const TIMEOUT_MS = 60_000;
const WORKER_MEMORY_MIB = 1024;
/** What a render leaves as garbage is let go early: it would only make the process larger (MiB). */
const WORKER_NURSERY_MIB = 16;
/** The memory of a worker that has ended is what the apply of its render grows into (ms). */
const WORKER_IDLE_MS = 1_000;
const CACHE_CHARACTERS = 32 * 1024 * 1024;

/** Renders sources, large ones in a worker thread, and keeps the latest results by what they were made of. */
export class Renderer {
  readonly #pool = new Piscina<RenderJob, PackedOutcome>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: WORKER_IDLE_MS,
    resourceLimits: {
      maxOldGenerationSizeMb: WORKER_MEMORY_MIB,
      maxYoungGenerationSizeMb: WORKER_NURSERY_MIB,
    },
  });
  readonly #cache = new LRUCache<string, Rendered>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: (rendered) =>
      1 +
      (rendered.packed?.length ?? 0) +
      Array.from(rendered.bodies.values()).reduce((sum, { text }) => sum + text.length, 0),
  });

  /**
   * @throws Halt `RenderFailed` with each problem: file and line or object, what is wrong, what to do
   * @throws DiscoveryIncomplete where it cannot be told whether a kind exists
   */
  async render(
    cluster: TargetCluster,
    release: Release,
    { source, variables }: { source: Fetched; variables: FetchedVariables },
    signal: AbortSignal,
  ): Promise<Rendered> {
    const job = renderJobOf(release, { source, variables }, await servedScopes(cluster));
    const id = digestOf(release, source, job);
    const kept = this.#cache.get(id);
    if (kept !== undefined) return kept;
    let result = await this.#run(job, signal);
    if (await servesAny(cluster, result.unknown)) {
      result = await this.#run({ ...job, scopes: await servedScopes(cluster) }, signal);
    }
    refuseUnknown(result);
    const rendered = { ...releaseRenderOf(result), packed: result.packed };
    // What is not known yet may be soon.
    if (rendered.unknown.size === 0) this.#cache.set(id, rendered);
    return rendered;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #run(job: RenderJob, signal: AbortSignal): Promise<PackedResult> {
    const outcome = sizeOf(job) <= INLINE_LIMIT ? renderAndPack(job) : await this.#runInWorker(job, signal);
    if ('refused' in outcome) throw renderFailed(outcome.refused);
    return outcome;
  }

  async #runInWorker(job: RenderJob, signal: AbortSignal): Promise<PackedOutcome> {
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await this.#pool.run(job, { signal: AbortSignal.any([signal, limit]) });
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted)
        throw renderFailed(
          `rendering took longer than ${TIMEOUT_MS / 1000}s: split the source into several Releases`,
        );
      const what = error instanceof Error ? error.message : String(error);
      throw renderFailed(
        `rendering ended early: ${what} – where it ran out of memory, split the source into several Releases`,
      );
    }
  }
}

function renderFailed(message: string): Halt {
  return new Halt(message, { reason: 'RenderFailed', stage: 'Render', resume: 'change' });
}

/** Scopes of every served type. Types of a group that does not answer are missing, and then unknown. */
async function servedScopes(cluster: TargetCluster): Promise<RenderJob['scopes']> {
  return scopesOf((await cluster.discovery.all()).resources);
}

/** Asks again for kinds that were not there when discovery last looked. */
async function servesAny(cluster: TargetCluster, unknown: RenderResult['unknown']): Promise<boolean> {
  for (const { key, apiVersion } of unknown) {
    if ((await cluster.discovery.resourceFor(key.group, key.kind, versionOf(apiVersion))) !== undefined)
      return true;
  }
  return false;
}

/** Another version of the API server may have it, so it is tried again. */
function refuseUnknown(result: Pick<RenderResult, 'unknown'>): void {
  const problem = unknownKindsProblem(result);
  if (problem === undefined) return;
  throw new Halt(problem, { reason: 'RenderFailed', stage: 'Render', resume: 'retry' });
}

/** All that a render depends on, but for the scopes of types, which do not change. */
function digestOf(release: Release, source: Fetched, job: RenderJob): string {
  const { targetNamespace, mutations, allowEmpty, labels, variables } = job;
  const parts = [
    source.revision,
    release.spec.content,
    targetNamespace,
    mutations,
    allowEmpty,
    labels,
    variables === undefined ? null : [...variables].sort(([a], [b]) => (a < b ? -1 : 1)),
    release.metadata.uid,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Mutations count as well: what they write is multiplied by the objects. */
function sizeOf({ source, mutations }: RenderJob): number {
  const texts = 'texts' in source ? source.texts.map(({ text }) => text) : source.files.map(contentOf);
  return texts.reduce((sum, text) => sum + text.length, JSON.stringify(mutations).length);
}

function contentOf({ content }: SourceFile): string | Uint8Array {
  return content;
}
