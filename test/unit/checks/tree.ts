import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export const ROOT = join(import.meta.dirname, '../../..');

/** What decides how the checks judge. */
const CONFIGURATION = [
  '.dependency-cruiser.cjs',
  '.prettierignore',
  '.prettierrc.json',
  'eslint.config.js',
  'knip.json',
  'package.json',
  'tsconfig.json',
];

/**
 * A small repository with the configuration of this one and its packages, gone at the end of the test.
 * @param files text by path
 * @param copied folders and files of this repository that it has too
 * @returns its folder
 */
export async function plant(
  files: Readonly<Record<string, string>>,
  copied: readonly string[] = [],
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'convoy-checks-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const path of [...CONFIGURATION, ...copied]) {
    await cp(join(ROOT, path), join(root, path), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

export interface Outcome {
  code: number;
  output: string;
}

/** Tools that read whole folders take their time on a machine that has more to do (ms). */
export const TOOL_TIMEOUT_MS = 240_000;

/** Runs what `make check` runs for one of its checks. */
export async function runCheck(root: string, name: string): Promise<Outcome> {
  const manifest = await readFile(join(root, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  return await run(root, 'sh', ['-c', scripts[`check:${name}`] ?? 'exit 127']);
}

/** Runs a program on the Node of the packages. */
export async function run(root: string, program: string, args: readonly string[]): Promise<Outcome> {
  const PATH = [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH, NO_COLOR: '1', FORCE_COLOR: '0' };
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  execFile(program, [...args], { cwd: root, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
    if (error === null) resolve({ code: 0, output: stdout + stderr });
    else if (typeof error.code === 'number') resolve({ code: error.code, output: stdout + stderr });
    else reject(new Error(`${program}: ${error.message}`, { cause: error }));
  });
  return await promise;
}
