import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { goBuild, goVersion } from '../controlplane/go.ts';
import { withLock } from '../controlplane/lock.ts';

const PACKAGE = 'github.com/google/go-containerregistry/cmd/registry';
const FOLDER = import.meta.dirname;

type Say = (line: string) => void;

/**
 * Path of a real OCI registry, which keeps all in memory; built from the Go module proxy where the user's cache does not have it
 * (some seconds), in a folder named by the hash of what decides the result.
 */
export async function ensureRegistry(say: Say, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const program = join(cacheRoot(env), await cacheKey(), 'registry');
  if (existsSync(program)) return program;
  await mkdir(dirname(program), { recursive: true });
  await withLock(
    `${program}.lock`,
    () => build(program, say),
    (holder) => say(`waiting for process ${holder}, which is building the registry`),
  );
  return program;
}

function cacheRoot(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CACHE_HOME'] ?? '';
  return join(base === '' ? join(homedir(), '.cache') : base, 'convoy', 'registry');
}

async function cacheKey(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(FOLDER, file)));
  hash.update(JSON.stringify([PACKAGE, process.platform, process.arch, await goVersion(FOLDER)]));
  return hash.digest('hex').slice(0, 16);
}

/** The program appears by a rename, whole or not at all. */
async function build(program: string, say: Say): Promise<void> {
  if (existsSync(program)) return;
  const work = `${program}.building-${process.pid}`;
  try {
    const args = ['-trimpath', '-ldflags', '-s -w', '-o', work, PACKAGE];
    await goBuild({ folder: FOLDER, args, label: 'registry' }, say);
    await rename(work, program);
  } finally {
    await rm(work, { force: true });
  }
}

if (import.meta.main) console.log(await ensureRegistry((line) => console.log(line)));
