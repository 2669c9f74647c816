import type { Release } from '../../api/release.ts';
import {
  type ConfigMap,
  type ConfigMapSource,
  describeConfigMaps,
  filesOfConfigMaps,
  MAX_CONFIG_MAPS,
} from '../../engine/source/configMaps.ts';
import type { Fetched } from '../../engine/source/fetched.ts';
import { CONFIG_MAPS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { findObjects } from '../../kube/findLive.ts';
import { labelSelectorText } from '../../kube/selector.ts';
import { unreadable } from './unreadable.ts';

/**
 * Reads one ConfigMap by name, or several by selector.
 * @throws SourceError where a ConfigMap or key is absent or an archive is refused
 */
export async function fetchConfigMaps(
  client: KubeClient,
  release: Release,
  source: ConfigMapSource,
): Promise<Fetched> {
  const at = {
    namespace: release.metadata.namespace ?? '',
    labelSelector: labelSelectorText(source.selector ?? {}),
  };
  const sought = { ...source, namespace: at.namespace, limit: MAX_CONFIG_MAPS };
  const found = await findObjects<ConfigMap>(client, CONFIG_MAPS, sought).catch((error: unknown) => {
    throw unreadable(error, `the source ${describeConfigMaps(source, at)}`);
  });
  return await filesOfConfigMaps(source, { ...at, ...found });
}
