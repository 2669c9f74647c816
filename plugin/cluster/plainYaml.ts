import { parseBlockYaml } from '../../engine/render/blockYaml.ts';
import { parseKubeconfigYaml } from '../../kube/kubeconfig.ts';

const MAX_DEPTH = 32;
/** What plain block YAML of one document has none of. */
const UNUSUAL = /\r|^---/m;

/**
 * Reads a kubeconfig as kubectl writes it, without the YAML library, which would take as long to load as all else here;
 * the library reads those that are written otherwise. Throws ConfigError.
 */
export async function parsePlainYaml(text: string): Promise<unknown> {
  const plain = UNUSUAL.test(text) ? undefined : parseBlockYaml(`${text}\n`, MAX_DEPTH);
  return plain === undefined ? await parseKubeconfigYaml(text) : plain.value;
}
