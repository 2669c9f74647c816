import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ConfigError } from '../../kube/kubeconfig.ts';

/**
 * The kubeconfig files that kubectl would read: the one that is named, those of $KUBECONFIG that are there, or
 * ~/.kube/config; none where there is none.
 * @throws ConfigError where $KUBECONFIG names files and none of them is there
 */
export async function kubeconfigFiles(named: string | undefined, env: NodeJS.ProcessEnv): Promise<string[]> {
  if (named !== undefined) return [named];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  const candidates = listed.length > 0 ? listed : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
  const present = await Promise.all(candidates.map(exists));
  const found = candidates.filter((_, index) => present[index]);
  if (found.length === 0 && listed.length > 0)
    throw new ConfigError(`$KUBECONFIG: none of ${listed.join(', ')} is there`);
  return found;
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
