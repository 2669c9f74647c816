import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Watchdog } from './watchdog.ts';

const TAIL_LINES = 25;

export interface Command {
  name: string;
  path: string;
  args: readonly string[];
}

/** One program of a control plane: runs until stopped, writes its log into the control plane's folder. */
export class Child {
  readonly name: string;
  readonly pid: number;
  /** Rejects when the program ends without having been asked to. Never resolves. */
  readonly failure: Promise<never>;
  readonly #process: ChildProcess;
  readonly #log: string;
  readonly #gone: Promise<void>;
  #stopping = false;
  #unexpected: Error | undefined;

  constructor(command: Command, dir: string, watchdog: Watchdog) {
    this.name = command.name;
    this.#log = join(dir, `${command.name}.log`);
    const log = openSync(this.#log, 'a');
    this.#process = spawn(command.path, [...command.args], {
      cwd: dir,
      // A group of its own: a Ctrl-C in the terminal ends the tests, which then stop their children in order.
      detached: true,
      env: { PATH: process.env['PATH'], HOME: dir, TMPDIR: dir },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const pid = this.#process.pid;
    const failed = Promise.withResolvers<never>();
    const gone = Promise.withResolvers<undefined>();
    this.failure = failed.promise;
    this.failure.catch((error: unknown) => (this.#unexpected = error as Error));
    this.#gone = gone.promise;
    this.#process.once('error', (error) =>
      failed.reject(new Error(`${command.path}: ${error.message}`, { cause: error })),
    );
    this.#process.once('exit', (code, signal) => {
      if (pid !== undefined) watchdog.release(pid);
      if (!this.#stopping) failed.reject(this.#died(code, signal));
      gone.resolve(undefined);
    });
    this.#process.unref();
    this.pid = pid ?? -1;
    if (pid === undefined) gone.resolve(undefined);
    else watchdog.guard(pid);
  }

  /** Why the program ended by itself, if it did. */
  get unexpectedEnd(): Error | undefined {
    return this.#unexpected;
  }

  /** Sends the signal and waits until the process is gone, and with it its hold on its ports. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#stopping = true;
    this.#process.ref();
    this.#process.kill(signal);
    await this.#gone;
  }

  #died(code: number | null, signal: NodeJS.Signals | null): Error {
    const how = signal === null ? `exited with code ${String(code)}` : `was ended by ${signal}`;
    const tail = readFileSync(this.#log, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
    return new Error(`${this.name} ${how}. The end of its log:\n${tail}`);
  }
}
