import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import { ALLOW_EMPTY, MANAGED_BY, MANAGED_BY_LABEL } from '../../api/annotations.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { describe, keyOf, keyString, versionOf, type KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { Scope } from '../../engine/render/types.ts';
import type { TargetCluster } from '../cluster.ts';
import { ownerLabels } from '../ownership.ts';
import { Halt } from '../release/halt.ts';
import type { Fetched } from '../source/fetched.ts';
import type { FetchedVariables } from '../source/variables.ts';
import { type Body, type RenderJob, type RenderOutcome, type RenderResult, runRender } from './job.ts';

/** The objects that a source stands for now. */
export interface Rendered {
  renderRef: string;
  /** In the order of a render, with the owner labels; integers beyond 2^53 are exact in `bodies` alone. */
  objects: KubeObject[];
  /** By keyString: what is sent. */
  bodies: ReadonlyMap<string, Body>;
  warnings: string[];
  /** By keyString: objects of types that nobody serves yet. An operator may bring them when it runs. */
  unknown: ReadonlySet<string>;
}

/** Sources up to this size are rendered at once: a worker thread would take longer to start (characters). */
const INLINE_LIMIT = 64 * 1024;
const TIMEOUT_MS = 60_000;
const WORKER_MEMORY_MIB = 1024;
const CACHE_CHARACTERS = 32 * 1024 * 1024;

/** Renders sources, large ones in a worker thread, and keeps the latest results by what they were made of. */
export class Renderer {
  readonly #pool = new Piscina<RenderJob, RenderOutcome>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY_MIB },
  });
  readonly #cache = new LRUCache<string, Rendered>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: (rendered) =>
      1 + Array.from(rendered.bodies.values()).reduce((sum, { text }) => sum + text.length, 0),
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
    const job = await this.#jobFor(cluster, release, source, variables);
    const id = digestOf(release, source, job);
    const kept = this.#cache.get(id);
    if (kept !== undefined) return kept;
    let result = await this.#run(job, signal);
    if (await servesAny(cluster, result.unknown)) {
      result = await this.#run({ ...job, scopes: await scopesOf(cluster) }, signal);
    }
    refuseUnknown(result);
    const rendered = renderedOf(result);
    // What is not known yet may be soon.
    if (rendered.unknown.size === 0) this.#cache.set(id, rendered);
    return rendered;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #jobFor(
    cluster: TargetCluster,
    release: Release,
    source: Fetched,
    variables: FetchedVariables,
  ): Promise<RenderJob> {
    const { content = {}, targetNamespace, mutations = [] } = release.spec;
    return {
      files: source.files,
      content: { path: content.path ?? DEFAULTS.contentPath, type: content.type ?? DEFAULTS.contentType },
      targetNamespace: targetNamespace ?? release.metadata.namespace ?? '',
      mutations,
      variables: variables.values,
      secret: variables.secret,
      allowEmpty: release.metadata.annotations?.[ALLOW_EMPTY] === 'true',
      scopes: await scopesOf(cluster),
      labels: { always: ownerLabels(release), defaults: { [MANAGED_BY_LABEL]: MANAGED_BY } },
    };
  }

  async #run(job: RenderJob, signal: AbortSignal): Promise<RenderResult> {
    const outcome = sizeOf(job) <= INLINE_LIMIT ? runRender(job) : await this.#runInWorker(job, signal);
    if ('refused' in outcome) throw renderFailed(outcome.refused);
    return outcome;
  }

  async #runInWorker(job: RenderJob, signal: AbortSignal): Promise<RenderOutcome> {
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
async function scopesOf(cluster: TargetCluster): Promise<Map<string, Scope>> {
  const { resources } = await cluster.discovery.all();
  return new Map(
    resources.map(({ group, kind, namespaced }) => [
      `${group}/${kind}`,
      namespaced ? 'Namespaced' : 'Cluster',
    ]),
  );
}

/** Asks again for kinds that were not there when discovery last looked. */
async function servesAny(cluster: TargetCluster, unknown: RenderResult['unknown']): Promise<boolean> {
  for (const { key, apiVersion } of unknown) {
    if ((await cluster.discovery.resourceFor(key.group, key.kind, versionOf(apiVersion))) !== undefined)
      return true;
  }
  return false;
}

/** Kubernetes' own groups: no CRD brings a kind of theirs. */
const BUILT_IN = /^([a-z]*|(?!gateway\.|snapshot\.|metrics\.)[^.]*\.k8s\.io)$/;

/** Another version of the API server may have it, so it is tried again. */
function refuseUnknown({ unknown }: RenderResult): void {
  const refused = unknown.filter(({ key }) => BUILT_IN.test(key.group));
  if (refused.length === 0) return;
  const lines = refused.map(
    ({ key, apiVersion }) =>
      `${describe(key)}: the cluster has no kind ${key.kind} in ${apiVersion} – correct apiVersion and kind`,
  );
  throw new Halt(lines.slice(0, 10).join('\n'), { reason: 'RenderFailed', stage: 'Render', resume: 'retry' });
}

function renderedOf({ renderRef, bodies, warnings, unknown }: RenderResult): Rendered {
  const parsed = bodies.map((body) => ({ body, object: JSON.parse(body.text) as KubeObject }));
  return {
    renderRef,
    objects: parsed.map(({ object }) => object),
    warnings,
    unknown: new Set(unknown.map(({ key }) => keyString(key))),
    bodies: new Map(parsed.map(({ object, body }) => [keyString(keyOf(object)), body])),
  };
}

/** All that a render depends on, but for the scopes of types, which do not change. */
function digestOf(release: Release, source: Fetched, job: RenderJob): string {
  const { content, targetNamespace, mutations, allowEmpty, labels, variables } = job;
  const parts = [
    source.revision,
    content,
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
function sizeOf({ files, mutations }: RenderJob): number {
  return files.reduce((sum, file) => sum + file.content.length, JSON.stringify(mutations).length);
}
