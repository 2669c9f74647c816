import type { Release } from '../../api/release.ts';
import type { KubeClient } from '../../kube/client.ts';
import { Halt } from '../release/halt.ts';
import { fetchConfigMaps } from './configMap.ts';
import { type Fetched, SourceError } from './fetched.ts';
import { fetchInline } from './inline.ts';

/**
 * Fetches the Release's source.
 * @throws Halt `SourceFailed`: what is applied stays as it is (api.md)
 */
export async function fetchSource(client: KubeClient, release: Release): Promise<Fetched> {
  const { source } = release.spec;
  try {
    if (source.inline !== undefined) return fetchInline(source.inline);
    if (source.configMap !== undefined) return await fetchConfigMaps(client, release, source.configMap);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const resume = error.retryable ? 'retry' : 'change';
    throw new Halt(error.message, { reason: 'SourceFailed', stage: 'Source', resume, cause: error });
  }
  throw new Halt('spec.source names no source: set one of inline, configMap', {
    reason: 'SourceFailed',
    stage: 'Source',
    resume: 'change',
  });
}
