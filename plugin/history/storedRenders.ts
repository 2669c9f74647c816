import { RenderUnreadable } from '../../api/packedRender.ts';
import type { Release } from '../../api/release.ts';
import { completeRenders } from '../../api/renderChunk.ts';
import { isForbidden } from '../../kube/errors.ts';
import { type FoundChunk, listChunks, readRender } from '../../kube/renderSecrets.ts';
import { CliProblem } from '../cli/problem.ts';
import type { Session } from '../cluster/session.ts';
import { controllerStore } from './controllerStore.ts';
import { historyHint, type Named } from './reference.ts';

/** The render store of one Release, as whoever asks may read it. */
export class StoredRenders {
  readonly #session: Session;
  readonly #release: Release;
  readonly #chunks: readonly FoundChunk[];

  private constructor(session: Session, release: Release, chunks: readonly FoundChunk[]) {
    this.#session = session;
    this.#release = release;
    this.#chunks = chunks;
  }

  /** @throws CliProblem for those who may not list Secrets; the errors of KubeClient */
  static async of(session: Session, release: Release): Promise<StoredRenders> {
    const chunks = await readable(release, () => listChunks(session.client, release));
    return new StoredRenders(session, release, chunks);
  }

  /** Digests of the renders that are there completely. */
  get held(): string[] {
    return completeRenders(this.#chunks.filter(({ isGoing }) => !isGoing));
  }

  /**
   * The canonical JSON of a render.
   * @throws CliProblem that says why it cannot be had: not kept, pruned, corrupt, forbidden
   */
  async read(named: Named): Promise<string> {
    const { renderRef } = named;
    if (!this.#chunks.some((chunk) => chunk.renderRef === renderRef)) throw await this.absent(named);
    try {
      return await readable(this.#release, () =>
        readRender(this.#session.client, this.#release, { renderRef, chunks: this.#chunks }),
      );
    } catch (error) {
      if (!(error instanceof RenderUnreadable)) throw error;
      throw new CliProblem(`${nameOf(named)} of ${titleOf(this.#release)} cannot be read`, {
        why: [error.why],
        hints: ['name another render', historyHint(this.#release)],
        cause: error,
      });
    }
  }

  /** Why a render is not there. */
  async absent(named: Named): Promise<CliProblem> {
    const store = await controllerStore(this.#session);
    const what = `${nameOf(named)} of ${titleOf(this.#release)} is not in the render store`;
    if (store === 'none')
      return new CliProblem(what, {
        why: ['the controller keeps no renders (--render-store none)'],
        hints: ['have the controller run with --render-store secrets: renders are kept from then on'],
      });
    if (store !== undefined && store !== 'secrets')
      return new CliProblem(what, {
        why: [`the controller keeps renders in ${store}, where only the controller reads them`],
        hints: [`look for it in ${store} with a client of that registry`],
      });
    if (this.held.length > 0)
      return new CliProblem(what, {
        why: [`the store holds ${this.held.join(', ')}: older ones go as spec.historyLimit says`],
        hints: [historyHint(this.#release)],
      });
    const { namespace = '' } = this.#release.metadata;
    return new CliProblem(what, {
      why: [
        `no render of it is in the Secrets of ${namespace}: the controller keeps them elsewhere ` +
          '(--render-store oci://…) or not at all (none), or has applied none',
      ],
      hints: ['see with which --render-store the controller runs'],
    });
  }
}

/** `render sha256:9f2b… (history 3)`. */
export function nameOf({ renderRef, number }: Named): string {
  return `render ${renderRef}${number === undefined ? '' : ` (history ${number})`}`;
}

function titleOf({ metadata }: Release): string {
  return `${metadata.name} in ${metadata.namespace ?? ''}`;
}

async function readable<T>(release: Release, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const { namespace = '' } = release.metadata;
    throw new CliProblem(`the renders of ${titleOf(release)} cannot be read`, {
      why: [error.serverMessage],
      hints: [`ask for the right to list and get Secrets in ${namespace}: renders are kept there`],
      cause: error,
    });
  }
}
