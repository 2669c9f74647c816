import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiAccess } from '../controlplane/apiAccess.ts';

const ROOT = new URL('../../../shared/data/manifests/', import.meta.url).pathname;

/** Folder of a set of real manifests, which lie outside of the project. */
export function manifestsFolder(
  name: 'kube-prometheus' | 'online-boutique' | 'podinfo' | 'ingress-nginx',
): string {
  return join(ROOT, name);
}

/**
 * Whether the real manifests are there. Where `CI` is set they must be.
 * @throws Error in CI without them: a test that looked at nothing must not pass
 */
export function haveManifests(): boolean {
  if (existsSync(ROOT)) return true;
  if (process.env['CI'] !== undefined) throw new Error(`the manifests are missing: ${ROOT}`);
  return false;
}

/** Packs a folder as a tar.gz into a ConfigMap, under the key `manifests.tar.gz`. */
export async function createArchive(
  api: ApiAccess,
  { namespace, name, folder }: { namespace: string; name: string; folder: string },
): Promise<void> {
  const { stdout } = await promisify(execFile)('tar', ['-C', folder, '-cz', '.'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  const binaryData = { 'manifests.tar.gz': stdout.toString('base64') };
  await api.must('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name }, binaryData });
}
