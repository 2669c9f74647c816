import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CRDS = join(import.meta.dirname, '..', '..', 'manifests', 'crds');

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
  await run(kubectl, ['apply', '--server-side', '-f', CRDS], { env });
  await run(kubectl, ['wait', '--for=condition=Established', '--timeout=60s', '-f', CRDS], { env });
}
