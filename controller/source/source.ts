import type { Release } from '../../api/release.ts';
import { type Fetched, SourceError } from '../../engine/source/fetched.ts';
import { fetchInline } from '../../engine/source/inline.ts';
import type { KubeClient } from '../../kube/client.ts';
import { Halt } from '../release/halt.ts';
import { fetchConfigMaps } from './configMap.ts';

/**
 * Fetches the Release's source.
 * @throws Halt `SourceFailed`: what is applied stays as it is (api.md)
 */
export async function fetchSource(client: KubeClient, release: Release): Promise<Fetched> {
  const { source } = release.spec;
  return await haltedBySource(async () => {
    if (source.inline !== undefined) return fetchInline(source.inline);
    if (source.configMap !== undefined) return await fetchConfigMaps(client, release, source.configMap);
    throw new SourceError('spec.source names no source: set one of inline, configMap');
  });
}

/** Runs what reads a source. @throws Halt `SourceFailed` where it throws SourceError */
export async function haltedBySource<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const resume = error.retryable ? 'retry' : 'change';
    throw new Halt(error.message, { reason: 'SourceFailed', stage: 'Source', resume, cause: error });
  }
}
