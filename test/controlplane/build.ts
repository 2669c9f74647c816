import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { BINARY_NAMES, STOCK_STAGES, TARGETS, batches, moduleFolder } from './binaries.ts';
import type { BinaryName } from './binaries.ts';
import { goBuild, goOutput, goVersion } from './go.ts';
import { withLock } from './lock.ts';
import { isAlive } from './processes.ts';

/** Where the programs of a control plane are. */
export interface Binaries {
  /** Folder with etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kubectl and kwok. */
  binDir: string;
  /** Paths of kwok's own stage files. */
  stockStages: string[];
}

type Say = (line: string) => void;

/**
 * Gives a folder with every program of the control plane, building those that the cache does not hold.
 *
 * The cache folder is named by the hash of everything that decides the result: the go.mod and go.sum files, the flags
 * and the Go release. Where KUBEBUILDER_ASSETS names a folder, the programs found there are used and only the others
 * are built. A second caller waits for the first. Throws when Go is missing, too old, or the build fails.
 */
export async function ensureBinaries(say: Say, env: NodeJS.ProcessEnv = process.env): Promise<Binaries> {
  const assets = env['KUBEBUILDER_ASSETS'] ? resolve(env['KUBEBUILDER_ASSETS']) : undefined;
  const folder = join(cacheRoot(env), await cacheKey(assets));
  if (!isComplete(folder)) {
    await withLock(
      `${folder}.lock`,
      () => fill(folder, assets, say),
      (holder) => say(`waiting for process ${holder}, which is building the control plane`),
    );
  }
  return { binDir: folder, stockStages: STOCK_STAGES.map((stage) => join(folder, basename(stage))) };
}

function cacheRoot(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CACHE_HOME'] ?? '';
  return join(base === '' ? join(homedir(), '.cache') : base, 'convoy', 'controlplane');
}

async function cacheKey(assets: string | undefined): Promise<string> {
  const hash = createHash('sha256');
  for (const module of ['kubernetes', 'kwok'] as const) {
    for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(moduleFolder(module), file)));
  }
  hash.update(JSON.stringify([TARGETS, STOCK_STAGES, process.platform, process.arch, assets ?? null]));
  hash.update(await goVersion(moduleFolder('kubernetes')));
  return hash.digest('hex').slice(0, 16);
}

function isComplete(folder: string): boolean {
  return [...BINARY_NAMES, ...STOCK_STAGES].every((name) => existsSync(join(folder, basename(name))));
}

async function fill(folder: string, assets: string | undefined, say: Say): Promise<void> {
  if (isComplete(folder)) return;
  await mkdir(folder, { recursive: true });
  await removeInterrupted(folder);
  const work = await mkdtemp(`${folder}.building-${process.pid}-`);
  try {
    for (const name of missing(folder)) {
      const asset = join(assets ?? '', name);
      if (assets === undefined || !existsSync(asset)) continue;
      await symlink(asset, join(work, name));
      await rename(join(work, name), join(folder, name));
    }
    for (const batch of batches(missing(folder))) await buildBatch(batch, folder, work, say);
    await copyStockStages(folder, work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Removes the work folders of builds that were killed. */
async function removeInterrupted(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.building-`;
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(prefix) || isAlive(parseInt(name.slice(prefix.length), 10))) continue;
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function missing(folder: string): BinaryName[] {
  return BINARY_NAMES.filter((name) => !existsSync(join(folder, name)));
}

/** Each program appears in the cache by a rename, whole or not at all, so that an interrupted build keeps what is done. */
async function buildBatch(
  batch: readonly BinaryName[],
  folder: string,
  work: string,
  say: Say,
): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  // `go build -o folder/` names a program after its package, which for etcd is the module's version suffix.
  const output = batch.length === 1 ? join(work, first) : `${work}/`;
  await goBuild(
    {
      folder: moduleFolder(TARGETS[first].module),
      args: [
        '-trimpath',
        '-ldflags',
        TARGETS[first].ldflags,
        '-o',
        output,
        ...batch.map((name) => TARGETS[name].package),
      ],
      label: batch.join(', '),
    },
    say,
  );
  for (const name of batch) await rename(join(work, name), join(folder, name));
}

async function copyStockStages(folder: string, work: string): Promise<void> {
  const module = await goOutput(moduleFolder('kwok'), ['mod', 'download', '-json', 'sigs.k8s.io/kwok']);
  const { Dir } = JSON.parse(module) as { Dir: string };
  for (const stage of STOCK_STAGES) {
    const copy = join(work, basename(stage));
    await copyFile(join(Dir, 'kustomize', 'stage', stage), copy);
    await rename(copy, join(folder, basename(stage)));
  }
}

if (import.meta.main) {
  const { binDir } = await ensureBinaries((line) => console.log(line));
  console.log(binDir);
}
