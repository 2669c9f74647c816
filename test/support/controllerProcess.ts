import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

const MAIN = new URL('../../controller/main.ts', import.meta.url).pathname;
const START_TIMEOUT_MS = 30_000;
/** Log lines that an error message shows. */
const SHOWN_LINES = 30;

interface LogLine {
  msg: string;
  url?: string;
  [field: string]: unknown;
}

/** The controller as its own process, as it runs in production. */
export class ControllerProcess {
  readonly log: LogLine[] = [];
  readonly #child: ChildProcess;
  readonly #started = Promise.withResolvers<string>();

  private constructor(kubeconfig: string, flags: readonly string[]) {
    const args = [MAIN, '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', ...flags];
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => this.#read(line));
    }
    this.#child.once('exit', (code, signal) => {
      this.#started.reject(new Error(`the controller ended with ${code ?? signal ?? '?'}:\n${this.tail()}`));
    });
  }

  /** Starts it and waits until it listens. */
  static async start(kubeconfig: string, flags: readonly string[] = []): Promise<ControllerProcess> {
    const controller = new ControllerProcess(kubeconfig, flags);
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    timeout.addEventListener('abort', () => {
      controller.#started.reject(new Error(`the controller did not start:\n${controller.tail()}`));
    });
    await controller.#started.promise;
    return controller;
  }

  /** Base URL of its /healthz, /readyz and /metrics. */
  get url(): Promise<string> {
    return this.#started.promise;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** SIGTERM, and waits for the end. Gives the exit code. */
  async stop(): Promise<number | null> {
    return await this.#end('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  tail(): string {
    return this.log
      .slice(-SHOWN_LINES)
      .map((line) => JSON.stringify(line))
      .join('\n');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
    return this.#child.exitCode;
  }

  #read(line: string): void {
    const entry = parse(line);
    this.log.push(entry);
    if (entry.msg === 'started' && entry.url !== undefined) this.#started.resolve(entry.url);
  }
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line };
  }
}

/** Runs a controller for the tests of a file, from the first to the last. */
export function useController(
  cluster: { kubeconfigPath: string } | (() => { kubeconfigPath: string }),
): () => ControllerProcess {
  let controller: ControllerProcess | undefined;
  beforeAll(
    async () =>
      (controller = await ControllerProcess.start(
        (typeof cluster === 'function' ? cluster() : cluster).kubeconfigPath,
      )),
  );
  afterAll(() => controller?.stop());
  return () => {
    if (controller === undefined) throw new Error('the controller is there while the tests of the file run');
    return controller;
  };
}
