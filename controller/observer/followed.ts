import type { KubeObject, ObjectKey } from '../../api/object.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import type { ObjectHealth } from '../../engine/waves/verdict.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { markOf } from './observed.ts';
import type { SentApply, TrackedObject } from './trackedObject.ts';

/** What the observer does for the objects of one Release. */
interface Source {
  find: (key: ObjectKey) => TrackedObject | undefined;
  applied: (
    tracked: TrackedObject,
    resource: ApiResource,
    object: KubeObject,
    sent: SentApply,
  ) => Promise<void>;
  compared: (tracked: TrackedObject, comparison: Comparison, sent: SentApply) => Promise<void>;
  isWatched: (planned: PlannedObject) => boolean;
}

/** How an object stands to what an apply would make of it. */
export interface Comparison {
  /** Undefined: it is not there. */
  live: { resource: ApiResource; object: KubeObject } | undefined;
  /** In the words of a message; undefined: the apply would change nothing. */
  difference: string | undefined;
}

/** What is known of the objects that one Release follows. */
export class Followed {
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Whether an apply of this body would change nothing. */
  isUnchanged(key: ObjectKey, digest: string): boolean {
    return this.#source.find(key)?.isUnchanged(digest) === true;
  }

  /** The UID of an object that was applied; '' where it is not known. */
  uidOf(key: ObjectKey): string {
    return this.#source.find(key)?.uid ?? '';
  }

  /** Whether it is known how an object stands to this body, without asking. */
  isCompared(key: ObjectKey, digest: string): boolean {
    return this.#source.find(key)?.isCompared(digest) === true;
  }

  /** Whether the API server gave this object as it was seen last, so that a dry run would not have changed it. */
  isSeenAs(key: ObjectKey, object: KubeObject): boolean {
    const { uid = '', resourceVersion = '' } = object.metadata;
    return this.#source.find(key)?.isSeenAs({ uid, resourceVersion, mark: markOf(object) }) === true;
  }

  /** An object was compared with what an apply would make of it, and not applied. */
  async compared(key: ObjectKey, comparison: Comparison, sent: SentApply): Promise<void> {
    const tracked = this.#source.find(key);
    if (tracked !== undefined) await this.#source.compared(tracked, comparison, sent);
  }

  /** How an object differs from what the render wants; undefined where it does not. */
  differenceOf(key: ObjectKey): string | undefined {
    return this.#source.find(key)?.difference;
  }

  /** The other field manager that changed an object last; '' where none is known. */
  editorOf(key: ObjectKey): string {
    return this.#source.find(key)?.editor ?? '';
  }

  /** An apply that would change nothing counts as done. */
  confirm(key: ObjectKey, sent: SentApply): void {
    this.#source.find(key)?.confirm(sent);
  }

  /** An apply is sent. @returns what to call with its outcome */
  sending(key: ObjectKey): {
    applied: (resource: ApiResource, object: KubeObject, sent: SentApply) => Promise<void>;
    failed: () => void;
  } {
    const tracked = this.#source.find(key);
    tracked?.sending();
    return {
      applied: async (resource, object, sent) => {
        if (tracked !== undefined) await this.#source.applied(tracked, resource, object, sent);
      },
      failed: () => tracked?.failed(),
    };
  }

  /** Health of an object for a render; undefined while it was not applied for that. */
  healthOf(key: ObjectKey, renderRef: string): ObjectHealth | undefined {
    return this.#source.find(key)?.healthFor(renderRef);
  }

  /** Whether an object was applied for a render since this process runs. */
  wasApplied(key: ObjectKey, renderRef: string): boolean {
    return this.#source.find(key)?.renderRef === renderRef;
  }

  /** `namespace/name` by the labels of an object, as it was seen last; '' where it has none or is not there. */
  ownerOf(key: ObjectKey): string {
    return this.#source.find(key)?.owner ?? '';
  }

  /** Whether news of an object can be waited for. */
  isWatched(planned: PlannedObject): boolean {
    return this.#source.isWatched(planned);
  }
}
