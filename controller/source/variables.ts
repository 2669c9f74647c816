import type { Release } from '../../api/release.ts';
import {
  type DataObject,
  describeReference,
  type FetchedVariables,
  type VariablesReference,
  variablesOf,
} from '../../engine/source/variables.ts';
import { CONFIG_MAPS, SECRETS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { findLive } from '../../kube/findLive.ts';
import { haltedBySource } from './source.ts';
import { unreadable } from './unreadable.ts';

/**
 * Reads what `spec.content.variablesFrom` names, and puts it together with `variables`.
 * @throws Halt `SourceFailed`: what is applied stays as it is
 */
export async function fetchVariables(client: KubeClient, release: Release): Promise<FetchedVariables> {
  const { content = {} } = release.spec;
  const { namespace = '' } = release.metadata;
  return await haltedBySource(async () => {
    const found: (DataObject | undefined)[] = [];
    for (const reference of content.variablesFrom ?? []) found.push(await read(client, namespace, reference));
    return variablesOf(content, namespace, found);
  });
}

async function read(
  client: KubeClient,
  namespace: string,
  reference: VariablesReference,
): Promise<DataObject | undefined> {
  const { kind, name } = reference;
  const resource = kind === 'Secret' ? SECRETS : CONFIG_MAPS;
  return await findLive<DataObject>(client, resource, { namespace, name }).catch((error: unknown) => {
    throw unreadable(error, describeReference(reference, namespace));
  });
}
