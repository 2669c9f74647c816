import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, ClusterInfo, ControllerInfo, Request } from './messages.ts';
import type { Note } from './screen.ts';

/** The demo's cluster and controller, held by a process of its own (holder.ts). */
export class DemoCluster {
  /** Rejects when the cluster or the controller ends by itself. Never resolves. */
  readonly failure: Promise<never>;
  /** It has been told to outlive the demo. */
  isKept = false;
  readonly #holder: ChildProcess;
  #note: Note = () => undefined;

  private constructor(holder: ChildProcess, log: string) {
    this.#holder = holder;
    const failure = Promise.withResolvers<never>();
    this.failure = failure.promise;
    this.failure.catch(() => undefined);
    holder.on('message', (answer: Answer) => {
      if (answer.type === 'say') this.#note(answer.line);
      if (answer.type === 'failed') failure.reject(new Error(answer.message));
    });
    holder.once('error', failure.reject);
    holder.once('exit', () => {
      void readFile(log, 'utf8').then(
        (text) => failure.reject(new Error(`the cluster's process ended:\n${text}`)),
        () => failure.reject(new Error("the cluster's process ended")),
      );
    });
  }

  static async open(): Promise<DemoCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'convoy-demo-'));
    const log = join(folder, 'holder.log');
    const output = openSync(log, 'w');
    const holder = spawn(process.execPath, [join(import.meta.dirname, 'holder.ts'), folder], {
      // A group of its own: a Ctrl-C in the terminal reaches the demo alone, which then ends everything in order.
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    return new DemoCluster(holder, log);
  }

  /** Id of the process that ends everything on SIGTERM. */
  get pid(): number {
    return this.#holder.pid ?? 0;
  }

  /** @param note is told how the build goes, where there is anything to build */
  startKubernetes(note: Note): Promise<ClusterInfo> {
    this.#note = note;
    return this.#ask('startKubernetes', 'kubernetes');
  }

  startController(): Promise<ControllerInfo> {
    return this.#ask('startController', 'controller');
  }

  /** Leaves everything running. */
  async keep(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    this.#holder.send('keep' satisfies Request, (error) =>
      error === null ? resolve(undefined) : reject(error),
    );
    await promise;
    this.isKept = true;
  }

  /** Ends everything and waits until it is gone. */
  async stop(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return;
    const gone = once(this.#holder, 'exit');
    this.#holder.send('stop' satisfies Request);
    await gone;
  }

  #ask<Type extends 'kubernetes' | 'controller'>(
    request: Request,
    type: Type,
  ): Promise<Extract<Answer, { type: Type }>> {
    const { promise, resolve } = Promise.withResolvers<Extract<Answer, { type: Type }>>();
    const listen = (answer: Answer): void => {
      if (answer.type !== type) return;
      this.#holder.off('message', listen);
      resolve(answer as Extract<Answer, { type: Type }>);
    };
    this.#holder.on('message', listen);
    this.#holder.send(request);
    return Promise.race([promise, this.failure]);
  }
}
