import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { ClusterInfo } from './messages.ts';

const run = promisify(execFile);

/** kubectl of the demo's cluster, with the plugin on its PATH. */
export class Kubectl {
  readonly #path: string;
  readonly #options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal };

  constructor(cluster: ClusterInfo, root: string, signal: AbortSignal) {
    this.#path = join(cluster.binDir, 'kubectl');
    const path = [join(root, 'dist'), cluster.binDir, process.env['PATH']].join(delimiter);
    this.#options = {
      cwd: root,
      env: { ...process.env, KUBECONFIG: cluster.kubeconfig, PATH: path },
      signal,
    };
  }

  /** Runs it and gives what it prints. Throws with what it says on stderr. */
  async output(...args: string[]): Promise<string> {
    try {
      return (await run(this.#path, args, this.#options)).stdout.trimEnd();
    } catch (error) {
      this.#options.signal.throwIfAborted();
      const stderr = (error as { stderr?: string }).stderr ?? '';
      throw new Error(`kubectl ${args.join(' ')}: ${stderr.trim() || String(error)}`, { cause: error });
    }
  }

  /** Runs it on the terminal of the demo. Throws when it fails. */
  async show(...args: string[]): Promise<void> {
    const child = spawn(this.#path, args, { ...this.#options, stdio: ['ignore', 'inherit', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with code ${String(code)}`);
  }
}
