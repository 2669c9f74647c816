import type { Clock, Timer } from '../clock.ts';
import { KubeError } from '../errors.ts';
import type { Transport } from '../transport.ts';

/** This process may not write any more: somebody else may lead by now. */
export class LeadershipOver extends KubeError {
  override name = 'LeadershipOver';
}

/** One time of leading, which others respect until its end. Once it is over it stays so. */
export class Term {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #over = new AbortController();
  #until: number;
  #timer: Timer;

  /**
   * @param name of the Lease, for errors
   * @param until by the clock
   */
  constructor(clock: Clock, name: string, until: number) {
    this.#clock = clock;
    this.#name = name;
    this.#until = until;
    this.#timer = this.#endInTime();
  }

  /** Aborts when it is over. A process that was frozen learns of it late: before each write, `check` tells. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get isOver(): boolean {
    if (!this.#over.signal.aborted && this.#clock.now() >= this.#until)
      this.end('it was not renewed in time');
    return this.#over.signal.aborted;
  }

  /** @throws LeadershipOver */
  check(): void {
    if (this.isOver) throw this.#over.signal.reason;
  }

  /** Has no effect once it is over. */
  extend(until: number): void {
    if (this.isOver) return;
    this.#until = until;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#endInTime();
  }

  end(why: string): void {
    this.#clock.clearTimeout(this.#timer);
    this.#over.abort(new LeadershipOver(`Lease ${this.#name}: this process leads no longer: ${why}`));
  }

  /** Timers may fire a little early. */
  #endInTime(): Timer {
    const end = (): void => {
      if (!this.isOver) this.#timer = this.#endInTime();
    };
    return this.#clock.setTimeout(end, Math.ceil(this.#until - this.#clock.now()));
  }
}

/** Makes a transport one that writes only as long as this process may. */
export type Fence = (transport: Transport) => Transport;

/** A transport whose writes go over the wire only during the term; it throws LeadershipOver for others. Reads go on. */
export function duringTerm(transport: Transport, term: Term): Transport {
  return {
    request: (request) =>
      transport.request(
        request.method === 'GET' ? request : { ...request, checkBeforeSend: () => term.check() },
      ),
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  };
}
