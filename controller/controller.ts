import { RESOURCES } from '../api/group.ts';
import type { Release } from '../api/release.ts';
import { isConflict } from '../kube/errors.ts';
import { listWatchOf } from '../kube/listWatch.ts';
import { Reflector } from '../kube/reflector.ts';
import { WorkQueue } from '../kube/workQueue.ts';
import type { Metrics } from './metrics.ts';
import type { Log } from './log.ts';
import type { Next } from './release/next.ts';
import { reconcile } from './release/reconcile.ts';
import { Wakeups } from './release/wakeups.ts';
import { releaseKey, type Services } from './services.ts';
import { SourceWatches } from './source/watches.ts';

/** Waits between attempts that failed: long enough to hurt nobody, short enough to heal soon (ms). */
const BACKOFF = { baseMs: 200, maxMs: 120_000 };

/**
 * Keeps Releases applied: what concerns a Release puts its key in the queue, and each key is reconciled by one worker
 * at a time. Nothing is polled.
 */
export class Controller {
  readonly #services: Services;
  readonly #queue: WorkQueue;
  readonly #releases: Reflector<Release>;

  constructor(base: Omit<Services, 'wakeups' | 'sources'>) {
    const { log, metrics, home } = base;
    this.#queue = createQueue(log, metrics);
    const wake = (key: string): void => this.#queue.add(key);
    const fault = ({ during, error }: { during: string; error: unknown }): void => {
      metrics.watchFaults.inc({ during });
      log.warn({ during, err: error }, 'a list or watch ended in an error; it is begun again');
    };
    this.#releases = new Reflector<Release>(listWatchOf<Release>(home.client, RESOURCES.Release), {
      onFault: fault,
    });
    this.#services = {
      ...base,
      wakeups: new Wakeups(wake, log),
      sources: new SourceWatches(home.client, { change: wake, fault }),
    };
    this.#enqueueChanges();
  }

  /** The first list of Releases is complete. */
  get ready(): boolean {
    return this.#releases.hasSynced;
  }

  /** Works until the signal aborts, then ends the reconciles at work. */
  async run(concurrency: number, signal: AbortSignal): Promise<void> {
    const watching = this.#releases.run(signal);
    await this.#queue.run((key) => this.#reconcile(key, signal), { concurrency, signal });
    await this.#queue.shutDown();
    this.#services.wakeups.stop();
    this.#services.sources.stop();
    await watching;
    await this.#services.events.flush();
  }

  #enqueueChanges(): void {
    const add = (release: Release): void => this.#queue.add(releaseKey(release));
    const count = (): void => this.#services.metrics.releases.set(this.#releases.list().length);
    this.#releases.addHandler({
      onAdd: (release) => {
        count();
        add(release);
      },
      onUpdate: (release, previous) => {
        if (concerns(release, previous)) add(release);
      },
      onDelete: (release) => {
        count();
        const key = releaseKey(release);
        this.#services.wakeups.clear(key);
        this.#services.sources.unfollow(key);
      },
    });
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    const release = this.#releases.get(key);
    if (release === undefined) return;
    const { reconciles } = this.#services.metrics;
    try {
      const next = await reconcile(this.#services, release, signal);
      reconciles.inc({ result: next.retry ? 'failed' : 'done' });
      this.#schedule(key, next);
    } catch (error) {
      if (signal.aborted) return;
      reconciles.inc({ result: 'error' });
      // The Release changed since it was read: its watch event is on the way and makes it due again.
      if (!isConflict(error)) throw error;
      this.#queue.addRateLimited(key);
    }
  }

  #schedule(key: string, { retry, afterMs }: Next): void {
    if (!retry) this.#queue.forget(key);
    else if (afterMs === undefined) this.#queue.addRateLimited(key);
    if (afterMs !== undefined) this.#queue.addAfter(key, afterMs);
  }
}

/** A change of status alone is Convoy's own and concerns nobody. */
function concerns(release: Release, previous: Release): boolean {
  const [now, before] = [release.metadata, previous.metadata];
  return (
    now.uid !== before.uid ||
    now.generation !== before.generation ||
    now.deletionTimestamp !== before.deletionTimestamp ||
    JSON.stringify(now.annotations) !== JSON.stringify(before.annotations)
  );
}

function createQueue(log: Log, metrics: Metrics): WorkQueue {
  return new WorkQueue({
    onHandlerError: (key, error) =>
      log.error({ release: key, err: error }, 'the reconcile ended in an error and is tried again'),
    groupOf: (key) => key.slice(0, key.indexOf('/')),
    backoff: BACKOFF,
    hooks: metrics.queue,
  });
}
