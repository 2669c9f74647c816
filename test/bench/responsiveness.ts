import { setTimeout as delay } from 'node:timers/promises';
import { rounded } from './measure.ts';

const PROBE_EVERY_MS = 100;
const LAG = /^nodejs_eventloop_lag_max_seconds ([\d.e+-]+)$/m;

/** Asks a controller over and over whether it is well, as a kubelet does, and how long its event loop was blocked. */
export class Responsiveness {
  readonly #url: string;
  readonly #stop = new AbortController();
  readonly #probing: Promise<number>;

  private constructor(url: string) {
    this.#url = url;
    this.#probing = this.#probe();
  }

  /** @param url base URL of the controller's endpoints */
  static async start(url: string): Promise<Responsiveness> {
    // Each scrape begins the longest block anew.
    await metrics(url);
    return new Responsiveness(url);
  }

  /** Since the start, in milliseconds. */
  async stop(): Promise<{ longestBlockMs: number; slowestHealthzMs: number }> {
    this.#stop.abort();
    const slowest = await this.#probing;
    const lag = LAG.exec(await metrics(this.#url))?.[1];
    if (lag === undefined) throw new Error(`${this.#url}/metrics does not tell the lag of the event loop`);
    return { longestBlockMs: rounded(Number(lag) * 1000, 0), slowestHealthzMs: rounded(slowest, 0) };
  }

  async #probe(): Promise<number> {
    let slowest = 0;
    while (!this.#stop.signal.aborted) {
      const started = performance.now();
      const answer = await fetch(`${this.#url}/healthz`);
      if (!answer.ok) throw new Error(`/healthz answers ${answer.status}`);
      await answer.text();
      slowest = Math.max(slowest, performance.now() - started);
      await delay(PROBE_EVERY_MS);
    }
    return slowest;
  }
}

async function metrics(url: string): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text();
}
