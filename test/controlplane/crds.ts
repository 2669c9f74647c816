import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiAccess, type ApiObject } from './apiAccess.ts';

const run = promisify(execFile);
const CRDS = join(import.meta.dirname, '..', '..', 'manifests', 'crds');
const COLLECTION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Applies the CustomResourceDefinitions of `manifests/crds` as a user would, by kubectl, and waits until the API server
 * serves them. Does nothing where there are none.
 *
 * @param kubectl path of kubectl
 */
export async function installCrds(kubectl: string, kubeconfigPath: string): Promise<void> {
  const found = existsSync(CRDS) && readdirSync(CRDS).some((name) => name.endsWith('.yaml'));
  if (!found) return;
  const env = { ...process.env, KUBECONFIG: kubeconfigPath };
  const { stdout } = await run(kubectl, ['apply', '--server-side', '-o', 'name', '-f', CRDS], { env });
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => line.slice(line.indexOf('/') + 1));
  const api = await ApiAccess.fromKubeconfig(kubeconfigPath);
  try {
    // `kubectl wait` ends in an error where a CRD has no status yet.
    await Promise.all(names.map((name) => api.waitForNamed(COLLECTION, name, isEstablished)));
  } finally {
    await api.close();
  }
}

function isEstablished(crd: ApiObject): boolean {
  const { conditions } = (crd['status'] ?? {}) as { conditions?: { type: string; status: string }[] | null };
  return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
}
