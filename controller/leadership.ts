import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { KubeClient } from '../kube/client.ts';
import { Election } from '../kube/lease/election.ts';
import { LeaseClient } from '../kube/lease/leaseClient.ts';
import { duringTerm, type Fence, type Term } from '../kube/lease/term.ts';
import type { Shard } from '../engine/shards/shard.ts';
import type { Controller } from './controller.ts';
import type { ElectionOptions } from './electionOptions.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Each shard has its own. */
function leaseName({ index, count }: Shard): string {
  return count === 1 ? 'convoy-controller' : `convoy-controller-${index}`;
}

interface LeadershipOptions {
  /** Over a connection of its own. */
  client: KubeClient;
  election: ElectionOptions | undefined;
  shard: Shard;
  /** A new one for each term: what one has in memory is of no use after others have led. */
  createController: (fence: Fence) => Controller;
  concurrency: number;
  metrics: Metrics;
  log: Log;
}

/** Runs controllers while this process leads, or always where there is no election. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #election: Election | undefined;
  #controller: Controller | undefined;

  constructor(options: LeadershipOptions) {
    const { client, election, shard, log } = options;
    this.#options = options;
    if (election === undefined) return;
    const { namespace, times } = election;
    const name = leaseName(shard);
    const identity = `${hostname()}_${randomUUID()}`;
    this.#election = new Election({
      lease: new LeaseClient(client, { namespace, name }),
      identity,
      times,
      now: () => new Date(),
      onFault: (error) =>
        log.warn({ lease: `${namespace}/${name}`, err: error }, 'leader election: a request failed'),
      onHolder: (holder) => log.info({ holder, own: holder === identity }, 'who leads has changed'),
    });
  }

  /** Why it could not act now if it had to; undefined: it acts, or waits until it has to. */
  get notReady(): string | undefined {
    if (this.#controller === undefined)
      return this.#election?.isFollowing === true ? undefined : 'who leads is not known yet';
    return this.#controller.ready ? undefined : 'the first list of Releases is not complete yet';
  }

  /** Until the signal aborts. @throws Error where controllers do not come to rest after their term */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#election === undefined) await this.#control((transport) => transport, signal);
    else await this.#election.run((term) => this.#lead(term, signal), signal);
  }

  async #lead(term: Term, signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    log.info('this process leads');
    const fence: Fence = (transport) => duringTerm(transport, term);
    await this.#control(fence, AbortSignal.any([signal, term.signal]));
    if (term.isOver) log.warn({ err: term.signal.reason as unknown }, 'this process leads no longer');
  }

  async #control(fence: Fence, signal: AbortSignal): Promise<void> {
    const { createController, concurrency, metrics } = this.#options;
    this.#controller = createController(fence);
    metrics.leader.set(1);
    await this.#controller.run(concurrency, signal);
    this.#controller = undefined;
    metrics.leader.set(0);
    metrics.releases.set(0);
  }
}
