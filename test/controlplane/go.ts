import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How often a running build says where it is. */
const PROGRESS_EVERY_MS = 10_000;

/**
 * The environment of each `go` call. Whatever GOFLAGS, GOWORK or target the user's shell or `go env -w` sets must not
 * change what is built; an empty GOFLAGS would let `go env -w` through again, so it holds Go's own default.
 */
function goEnvironment(base: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const fixed = { GOFLAGS: '-mod=readonly', GOWORK: 'off', CGO_ENABLED: '0' };
  return { ...base, GOOS: undefined, GOARCH: undefined, GOEXPERIMENT: undefined, ...fixed };
}

/** Runs `go` in a folder and gives its trimmed output. Throws with Go's own words. */
export async function goOutput(folder: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('go', [...args], { cwd: folder, env: goEnvironment() });
    return stdout.trim();
  } catch (error) {
    throw new Error(explainGoFailure(args, error), { cause: error });
  }
}

/**
 * The Go release that would build the module in `folder`, such as `go1.26.8`.
 * Throws when Go is missing, or older than the module's `go` line and not free to fetch a newer toolchain.
 */
export async function goVersion(folder: string): Promise<string> {
  // `go env` alone answers in spite of a module that is too new for it.
  await goOutput(folder, ['list', '-m']);
  return goOutput(folder, ['env', 'GOVERSION']);
}

function explainGoFailure(args: readonly string[], error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: string };
  if (code === 'ENOENT') {
    return 'Go is not on PATH. The control plane for tests is built from source: install Go 1.26 or later (https://go.dev/dl/), or name a cluster by CONVOY_TEST_KUBECONFIG';
  }
  const said = stderr?.trim() ?? String(error);
  if (/requires go >= /.test(said)) {
    return `Go is too old for the control plane's module, and GOTOOLCHAIN does not let it fetch a newer one: ${said}`;
  }
  return `go ${args.join(' ')} failed: ${said}`;
}

export interface GoBuild {
  /** Folder of the go.mod. */
  folder: string;
  /** Arguments after `go build -v`. */
  args: readonly string[];
  /** What is being built, for the progress lines. */
  label: string;
}

/** Runs `go build -v`, saying every ten seconds how far it is. Throws with the compiler's last lines. */
export async function goBuild(build: GoBuild, say: (line: string) => void): Promise<void> {
  const started = performance.now();
  const elapsed = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  const child = spawn('go', ['build', '-v', ...build.args], {
    cwd: build.folder,
    env: goEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let compiled = 0;
  const tail: string[] = [];
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    if (!line.includes(' ')) compiled += 1;
    tail.push(line);
    if (tail.length > 20) tail.shift();
  });
  const progress = setInterval(() => {
    say(
      `${build.label}: ${elapsed()}, ${compiled} packages compiled, now ${tail.at(-1) ?? 'reading the cache'}`,
    );
  }, PROGRESS_EVERY_MS);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0)
      throw new Error(`go build ${build.label} ended with ${String(code)}:\n${tail.join('\n')}`);
    say(`${build.label}: built in ${elapsed()}, ${compiled} packages compiled`);
  } finally {
    clearInterval(progress);
    lines.close();
  }
}
