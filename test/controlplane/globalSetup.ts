import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startControlPlane } from './controlPlane.ts';
import type { ControlPlane } from './controlPlane.ts';
import { installCrds } from './crds.ts';

/** A cluster as the tests' processes are told of it. */
export interface ClusterAddress {
  /** A kubeconfig of a cluster-admin. */
  kubeconfigPath: string;
  /** Folder that holds kubectl. */
  binDir: string;
  /** Folder of the certificate authority that clients are issued from; none for a cluster that was given. */
  pkiDir?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    clusters: ClusterAddress[];
  }
}

/**
 * Before the tests: one control plane for each worker that could run, with Convoy's CRDs, or the cluster that
 * CONVOY_TEST_KUBECONFIG names. Gives what ends them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['CONVOY_TEST_KUBECONFIG'];
  if (given !== undefined && given !== '') {
    const cluster = { kubeconfigPath: given, binDir: folderOnPath('kubectl') };
    await installCrds(join(cluster.binDir, 'kubectl'), given);
    project.provide('clusters', [cluster]);
    return () => Promise.resolve();
  }
  const started = performance.now();
  const planes = await startAll(await workersNeeded(project));
  console.log(
    `${planes.length} control planes ready after ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  project.provide(
    'clusters',
    planes.map(({ kubeconfigPath, binDir, pkiDir }) => ({ kubeconfigPath, binDir, pkiDir })),
  );
  return () => stopAll(planes);
}

async function workersNeeded(project: TestProject): Promise<number> {
  const { testFiles } = await project.globTestFiles();
  return Math.max(1, Math.min(project.vitest.config.maxWorkers, testFiles.length));
}

async function startAll(count: number): Promise<ControlPlane[]> {
  const results = await Promise.allSettled(Array.from({ length: count }, startOne));
  const planes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) return planes;
  await stopAll(planes);
  throw failed.reason;
}

async function startOne(): Promise<ControlPlane> {
  const plane = await startControlPlane();
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    return plane;
  } catch (error) {
    await plane.abandon();
    throw error;
  }
}

async function stopAll(planes: readonly ControlPlane[]): Promise<void> {
  await Promise.all(planes.map((plane) => plane.stop()));
}

function folderOnPath(program: string): string {
  const folder = (process.env['PATH'] ?? '').split(delimiter).find((candidate) => {
    try {
      accessSync(join(candidate, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (folder === undefined)
    throw new Error(`${program} is not on PATH, which a cluster of CONVOY_TEST_KUBECONFIG needs`);
  return folder;
}
