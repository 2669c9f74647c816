import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildPlugin } from '../../../plugin/build.ts';
import type { Cluster } from '../../controlplane/fixture.ts';

export interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  kubeconfig?: string;
  stdin?: string;
  env?: NodeJS.ProcessEnv;
}

/** `kubectl convoy …` of this checkout, by the real kubectl. */
export type Convoy = (args: readonly string[], options?: RunOptions) => Promise<Answer>;

/** Bundles the plugin and puts it on the PATH that the returned function runs kubectl with. */
export function useConvoy(cluster: Pick<Cluster, 'binDir' | 'kubeconfigPath'>): Convoy {
  let folder: string | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'convoy-plugin-'));
    await buildPlugin(join(folder, 'kubectl-convoy'));
  });
  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
  });
  return (args, { kubeconfig = cluster.kubeconfigPath, stdin = '', env = {} } = {}) => {
    if (folder === undefined) throw new Error('the plugin is there once the tests of the file run');
    const path = [folder, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
    return run(join(cluster.binDir, 'kubectl'), ['convoy', ...args], stdin, {
      ...process.env,
      PATH: path,
      KUBECONFIG: kubeconfig,
      ...env,
    });
  };
}

function run(
  program: string,
  args: readonly string[],
  stdin: string,
  env: NodeJS.ProcessEnv,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { env, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else reject(new Error(`${program} did not run`, { cause: error }));
    });
    // A program that does not read its input may have ended before it comes.
    child.stdin?.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error);
    });
    child.stdin?.end(stdin);
  });
}
