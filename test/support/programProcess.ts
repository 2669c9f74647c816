import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { refuseCanary } from './canary.ts';

const START_TIMEOUT_MS = 30_000;
/** Log lines that an error message shows. */
const SHOWN_LINES = 30;

export type Form = 'source' | 'shipped';

const ROOT = join(import.meta.dirname, '..', '..');
const COMMANDS: Readonly<Record<Form, (name: string) => string[]>> = {
  source: (name) => [process.execPath, join(ROOT, name, 'main.ts')],
  shipped: (name) => [join(ROOT, 'dist', 'image', name, 'main.js')],
};
/** What ships takes the Node on the PATH. */
const ENVIRONMENT = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
};

interface LogLine {
  msg: string;
  url?: string;
  [field: string]: unknown;
}

/** One of the programs as its own process, as it runs in production. It logs `started` with its URL once it listens. */
export class ProgramProcess {
  readonly log: LogLine[] = [];
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #started = Promise.withResolvers<string>();
  readonly #waiting = new Set<() => void>();

  /**
   * @param name folder of the program
   * @param form its sources, or what ships (`make build` has built it): quicker to start, and a third smaller
   */
  protected constructor(name: 'controller' | 'webhook', args: readonly string[], form: Form = 'source') {
    this.#name = name;
    const [command = '', ...before] = COMMANDS[form](name);
    this.#child = spawn(command, [...before, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: ENVIRONMENT,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => this.#read(line));
    }
    // Not at 'exit', when its last words may not have been read yet.
    this.#child.once('close', (code, signal) => {
      this.#started.reject(new Error(`the ${name} ended with ${code ?? signal ?? '?'}:\n${this.tail()}`));
    });
  }

  /** Base URL of its paths. */
  get url(): Promise<string> {
    return this.#started.promise;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
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

  /** Resolves when it listens. */
  protected async listening(): Promise<this> {
    AbortSignal.timeout(START_TIMEOUT_MS).addEventListener('abort', () => {
      this.#started.reject(new Error(`the ${this.#name} did not start:\n${this.tail()}`));
    });
    await this.#started.promise;
    return this;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    const exited = once(this.#child, 'close');
    this.#child.kill(signal);
    await exited;
    refuseCanary(`the log of the ${this.#name}`, JSON.stringify(this.log));
    return this.#child.exitCode;
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
