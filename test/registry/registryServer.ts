import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';
import { ensureRegistry } from './build.ts';

const SERVING = /serving on port (\d+)/;

/** A real registry on loopback, without authentication; what it holds is gone when it ends. */
export class RegistryServer {
  readonly host: string;
  readonly #child: ChildProcess;

  private constructor(host: string, child: ChildProcess) {
    this.host = host;
    this.#child = child;
  }

  static async start(): Promise<RegistryServer> {
    const program = await ensureRegistry((line) => console.log(line));
    const child = spawn(program, ['-port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    for await (const line of createInterface({ input: child.stderr })) {
      const port = SERVING.exec(line)?.[1];
      if (port === undefined) continue;
      child.stderr.resume();
      return new RegistryServer(`127.0.0.1:${port}`, child);
    }
    throw new Error('the registry ended before it served');
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

/** Runs a registry from the first test of a file to the last. */
export function useRegistry(): () => RegistryServer {
  let server: RegistryServer | undefined;
  beforeAll(async () => (server = await RegistryServer.start()));
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error('the registry is there while the tests of the file run');
    return server;
  };
}
