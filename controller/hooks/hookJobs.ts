import type { KubeObject } from '../../api/object.ts';
import { JOBS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { followObjects } from '../../kube/followObjects.ts';
import type { ReflectorFault } from '../../kube/reflector.ts';

/** The Job of a hook that runs. */
export interface RunningJob {
  /** Key of its Release. */
  release: string;
  namespace: string;
  name: string;
  uid: string;
}

interface Followed extends RunningJob {
  /** As it was seen last, also when it is gone. */
  last: KubeObject | undefined;
  isGone: boolean;
  stop: AbortController;
}

/**
 * Follows the Jobs of running hooks by watches, over however many reconciles: a Job may be deleted the moment it ends
 * (a TTL that somebody else set), and how it ended is known from here then (edge case 25).
 */
export class HookJobs {
  readonly #client: KubeClient;
  readonly #news: { change: (release: string) => void; fault: (fault: ReflectorFault) => void };
  readonly #followed = new Map<string, Followed>();

  constructor(
    client: KubeClient,
    news: { change: (release: string) => void; fault: (fault: ReflectorFault) => void },
  ) {
    this.#client = client;
    this.#news = news;
  }

  /** From here on the Release is woken at each change of the Job, until the Job is gone or forgotten. */
  follow(job: RunningJob): void {
    if (this.#followed.has(job.uid)) return;
    const followed: Followed = { ...job, last: undefined, isGone: false, stop: new AbortController() };
    this.#followed.set(job.uid, followed);
    void this.#follow(followed);
  }

  /** News of it come by themselves. */
  isFollowed(uid: string): boolean {
    return this.#followed.get(uid)?.isGone === false;
  }

  /** The last state that was seen of it; undefined where nobody followed it. */
  lastSeen(uid: string): KubeObject | undefined {
    return this.#followed.get(uid)?.last;
  }

  /** It has ended, and that is written down. */
  forget(uid: string): void {
    this.#followed.get(uid)?.stop.abort();
    this.#followed.delete(uid);
  }

  /** The Release is gone. */
  forgetRelease(release: string): void {
    for (const { uid, release: owner } of [...this.#followed.values()])
      if (owner === release) this.forget(uid);
  }

  stop(): void {
    for (const uid of [...this.#followed.keys()]) this.forget(uid);
  }

  async #follow(followed: Followed): Promise<void> {
    const { namespace, name, uid, stop, release } = followed;
    try {
      await followObjects({
        client: this.#client,
        resource: JOBS,
        namespace,
        fieldSelector: `metadata.name=${name}`,
        names: () => (followed.isGone ? [] : [name]),
        seen: (_, object) => this.#saw(followed, object),
        signal: stop.signal,
      });
    } catch (error) {
      if (stop.signal.aborted) return;
      this.#followed.delete(uid);
      this.#news.fault({ during: 'watch', error });
      this.#news.change(release);
    }
  }

  #saw(followed: Followed, object: KubeObject | undefined): void {
    const isSame = object?.metadata.uid === followed.uid;
    const isNews = !isSame || object.metadata.resourceVersion !== followed.last?.metadata.resourceVersion;
    if (isSame) followed.last = object;
    else followed.isGone = true;
    if (isNews) this.#news.change(followed.release);
  }
}
