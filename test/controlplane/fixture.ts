import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { searchNamespace } from '../support/searchNamespace.ts';
import { ApiAccess } from './apiAccess.ts';
import { CertificateAuthority } from './certificates.ts';
import { startControlPlane } from './controlPlane.ts';
import type { ControlPlane, ControlPlaneOptions } from './controlPlane.ts';
import { readCredentials, writeKubeconfig } from './kubeconfig.ts';

const run = promisify(execFile);

/** The worker's control plane. Other test files use it before and after this one, so that tests stay in namespaces of their own. */
export interface Cluster {
  kubeconfigPath: string;
  binDir: string;
  /** Plain requests as cluster-admin; there between the file's first and last test. */
  readonly api: ApiAccess;
  /** Runs kubectl as cluster-admin and gives its output. Throws with what it said. */
  kubectl(...args: string[]): Promise<string>;
  /** A kubeconfig for a user in groups. Throws on a cluster that CONVOY_TEST_KUBECONFIG names. */
  kubeconfigFor(user: string, groups?: readonly string[]): Promise<string>;
}

/** Gives a test file its worker's control plane. Call it at the top of the file or of a `describe`. */
export function useCluster(): Cluster {
  const clusters = inject('clusters');
  const address = clusters[(Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % clusters.length];
  if (address === undefined)
    throw new Error('no cluster was provided: the test is outside of the cluster project');
  const { kubeconfigPath, binDir, pkiDir } = address;
  const folder = temporaryFolder();
  let api: ApiAccess | undefined;
  beforeAll(async () => (api = await ApiAccess.fromKubeconfig(kubeconfigPath)));
  afterAll(() => api?.close());
  return {
    kubeconfigPath,
    binDir,
    get api() {
      if (api === undefined) throw new Error('the cluster is there once the tests of the file run');
      return api;
    },
    kubectl: (...args) => kubectl(binDir, kubeconfigPath, args),
    async kubeconfigFor(user, groups = []) {
      if (pkiDir === undefined)
        throw new Error('the cluster of CONVOY_TEST_KUBECONFIG issues no client certificates');
      const authority = await CertificateAuthority.open(pkiDir);
      const path = join(await folder(), `${randomBytes(6).toString('hex')}.kubeconfig`);
      const { url } = await readCredentials(kubeconfigPath);
      await writeKubeconfig(path, { url, caPem: authority.pem }, await authority.issueClient(user, groups));
      return path;
    },
  };
}

/** Gives each test a fresh namespace, whose name the returned function tells; it is searched for the canary and deleted after the test. */
export function useNamespace(cluster: { readonly api: ApiAccess }): () => string {
  let current: string | undefined;
  beforeEach(async () => (current = await createNamespace(cluster.api)));
  afterEach(async () => {
    if (current === undefined) return;
    const namespace = current;
    current = undefined;
    try {
      await searchNamespace(cluster.api, namespace);
    } finally {
      await cluster.api.must('DELETE', `/api/v1/namespaces/${namespace}`);
    }
  });
  return () => {
    if (current === undefined) throw new Error('the namespace is there while a test runs');
    return current;
  };
}

/** Creates a namespace with a unique name and waits until pods may be created in it. */
export async function createNamespace(api: ApiAccess, prefix = 'test'): Promise<string> {
  const name = `${prefix}-${randomBytes(5).toString('hex')}`;
  await api.must('POST', '/api/v1/namespaces', { metadata: { name } });
  await api.waitForNamed(`/api/v1/namespaces/${name}/serviceaccounts`, 'default', () => true);
  return name;
}

/** Starts a control plane for one test file: for audit logs, restarts, and whatever would disturb others. */
export function useControlPlane(options: ControlPlaneOptions = {}): () => ControlPlane {
  let plane: ControlPlane | undefined;
  beforeAll(async () => (plane = await startControlPlane(options)));
  afterAll(() => plane?.stop());
  return () => {
    if (plane === undefined) throw new Error('the control plane is there once the tests of the file run');
    return plane;
  };
}

/** Runs kubectl and gives its output. Throws with what it said. */
export async function kubectl(
  binDir: string,
  kubeconfigPath: string,
  args: readonly string[],
): Promise<string> {
  const env = { ...process.env, KUBECONFIG: kubeconfigPath };
  const { stdout } = await run(join(binDir, 'kubectl'), [...args], { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

function temporaryFolder(): () => Promise<string> {
  let folder: Promise<string> | undefined;
  afterAll(async () => {
    if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
  });
  return () => (folder ??= mkdtemp(join(tmpdir(), 'convoy-users-')));
}
