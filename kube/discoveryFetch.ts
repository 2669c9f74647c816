import {
  isAggregated,
  readAggregated,
  readGroupVersions,
  readResourceList,
  type ServedGroups,
  type ServedVersion,
} from './discoveryDocument.ts';
import { ApiError, KubeError } from './errors.ts';
import type { Transport } from './transport.ts';

const AGGREGATED = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/**
 * All that an API server serves: two requests, or one more for each group version where the server does not know
 * aggregated discovery. A version whose own server fails is stale; throws where the lists themselves cannot be had.
 */
export async function fetchServedGroups(transport: Transport): Promise<ServedGroups> {
  const [core, named] = await Promise.all([fetchUnder(transport, '/api'), fetchUnder(transport, '/apis')]);
  return new Map([...core, ...named]);
}

async function fetchUnder(transport: Transport, root: '/api' | '/apis'): Promise<ServedGroups> {
  const { body } = await transport.request({ method: 'GET', path: root, accept: AGGREGATED });
  if (isAggregated(body)) return readAggregated(body);
  const groups = await Promise.all(
    Array.from(readGroupVersions(body), async ([group, versions]) => {
      const served = await Promise.all(
        versions.map((version) => fetchVersion(transport, root, group, version)),
      );
      return [group, served] as const;
    }),
  );
  return new Map(groups);
}

async function fetchVersion(
  transport: Transport,
  root: string,
  group: string,
  version: string,
): Promise<ServedVersion> {
  const path = group === '' ? `${root}/${version}` : `${root}/${group}/${version}`;
  try {
    const { body } = await transport.request({ method: 'GET', path });
    return readResourceList(group, version, body);
  } catch (error) {
    // A failing aggregated server says nothing about what it serves; a missing core version would be an API server gone wrong.
    if (error instanceof ApiError && group !== '') return { version, resources: [], stale: true };
    throw error instanceof KubeError ? error : new KubeError(`GET ${path} failed`, { cause: error });
  }
}
