import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const MAIN = new URL('../../webhook/main.ts', import.meta.url).pathname;
const START_TIMEOUT_MS = 30_000;
/** Log lines that an error message shows. */
const SHOWN_LINES = 30;

interface LogLine {
  msg: string;
  url?: string;
  [field: string]: unknown;
}

/** The admission webhook as its own process, as it runs in production, but on loopback. */
export class WebhookProcess {
  readonly log: LogLine[] = [];
  readonly #child: ChildProcess;
  readonly #started = Promise.withResolvers<string>();
  readonly #waiting = new Set<() => void>();

  private constructor(kubeconfig: string, flags: readonly string[]) {
    const args = [MAIN, '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', '--hostname', '127.0.0.1'];
    this.#child = spawn(process.execPath, [...args, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => this.#read(line));
    }
    this.#child.once('exit', (code, signal) => {
      this.#started.reject(new Error(`the webhook ended with ${code ?? signal ?? '?'}:\n${this.tail()}`));
    });
  }

  /** Starts it and waits until it listens. */
  static async start(kubeconfig: string, flags: readonly string[] = []): Promise<WebhookProcess> {
    const webhook = new WebhookProcess(kubeconfig, flags);
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    timeout.addEventListener('abort', () => {
      webhook.#started.reject(new Error(`the webhook did not start:\n${webhook.tail()}`));
    });
    await webhook.#started.promise;
    return webhook;
  }

  /** Base URL of all its paths. */
  get url(): Promise<string> {
    return this.#started.promise;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Waits until it logs so many lines with these words. */
  async logged(words: string, times = 1): Promise<void> {
    while (this.log.filter(({ msg }) => msg.includes(words)).length < times) {
      const next = Promise.withResolvers<undefined>();
      this.#waiting.add(() => next.resolve(undefined));
      await next.promise;
    }
  }

  /** SIGTERM, and waits for the end. Gives the exit code. */
  async stop(): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    return this.#child.exitCode;
  }

  tail(): string {
    return this.log
      .slice(-SHOWN_LINES)
      .map((line) => JSON.stringify(line))
      .join('\n');
  }

  #read(line: string): void {
    const entry = parse(line);
    this.log.push(entry);
    if (entry.msg === 'started' && entry.url !== undefined) this.#started.resolve(entry.url);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line };
  }
}
