import { execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildPlugin } from '../../../plugin/build.ts';
import type { Cluster } from '../../controlplane/fixture.ts';
import { refuseCanary } from '../../support/canary.ts';

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

/** One that is running. */
export interface Running {
  /** Waits until what it wrote to the standard output has this in it. */
  says(what: string | RegExp): Promise<string>;
  /** Presses Ctrl-C. */
  interrupt(): void;
  ended: Promise<Answer>;
}

/** `kubectl convoy …` of this checkout, by the real kubectl. */
export interface Convoy {
  (args: readonly string[], options?: RunOptions): Promise<Answer>;
  start(args: readonly string[], options?: Omit<RunOptions, 'stdin'>): Running;
  /** With the plugin on the PATH. */
  environment(): NodeJS.ProcessEnv;
}

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
  const kubectl = () => join(cluster.binDir, 'kubectl');
  const environment = ({ kubeconfig = cluster.kubeconfigPath, env = {} }: RunOptions): NodeJS.ProcessEnv => {
    if (folder === undefined) throw new Error('the plugin is there once the tests of the file run');
    const path = [folder, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
    return { ...process.env, PATH: path, KUBECONFIG: kubeconfig, ...env };
  };
  const convoy = (args: readonly string[], options: RunOptions = {}): Promise<Answer> =>
    run(kubectl(), ['convoy', ...args], options.stdin ?? '', environment(options)).then((answer) =>
      searched(args, answer),
    );
  return Object.assign(convoy, {
    start: (args: readonly string[], options: RunOptions = {}) =>
      start(kubectl(), ['convoy', ...args], environment(options)),
    environment: () => environment({}),
  });
}

/** No command tells a value of a Secret. */
function searched(args: readonly string[], answer: Answer): Answer {
  refuseCanary(`kubectl convoy ${args.join(' ')}`, answer.stdout + answer.stderr);
  return answer;
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  const heard = new EventEmitter();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      heard.emit('more');
    });
  const ended = once(child, 'close').then(([code]: unknown[]) => {
    heard.emit('more');
    return searched(args, { code: code === null ? -1 : Number(code), ...said });
  });
  return {
    ended,
    interrupt: () => void child.kill('SIGINT'),
    async says(what) {
      const has = () => (typeof what === 'string' ? said.stdout.includes(what) : what.test(said.stdout));
      while (!has()) {
        if (child.exitCode !== null)
          throw new Error(
            `it ended with ${child.exitCode} before it said ${String(what)}:\n${said.stdout}${said.stderr}`,
          );
        await once(heard, 'more');
      }
      return said.stdout;
    },
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
