import type { Release } from '../../api/release.ts';
import {
  type ConfigMap,
  type ConfigMapSource,
  describeConfigMaps,
  filesOfConfigMaps,
  MAX_CONFIG_MAPS,
} from '../../engine/source/configMaps.ts';
import { type Fetched, SourceError } from '../../engine/source/fetched.ts';
import { fetchInline } from '../../engine/source/inline.ts';
import {
  type DataObject,
  describeReference,
  type FetchedVariables,
  variablesOf,
} from '../../engine/source/variables.ts';
import { CONFIG_MAPS, SECRETS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { KubeError } from '../../kube/errors.ts';
import { findLive, findObjects } from '../../kube/findLive.ts';
import { labelSelectorText } from '../../kube/selector.ts';
import { CliProblem } from '../cli/problem.ts';
import { missingRight, rightText } from '../cluster/missingRight.ts';
import type { Session } from '../cluster/session.ts';

/**
 * Reads the source of a Release as the controller does.
 * @throws CliProblem where it is not there, not in order, or may not be read
 */
export async function readSource({ client }: Session, release: Release): Promise<Fetched> {
  const { inline, configMap } = release.spec.source;
  return await explained(release, async () => {
    if (inline !== undefined) return fetchInline(inline);
    if (configMap !== undefined) return await readConfigMaps(client, release, configMap);
    throw new SourceError('spec.source names no source: set one of inline, configMap');
  });
}

/** Reads the variables of a Release as the controller does. @throws CliProblem as readSource */
export async function readVariables({ client }: Session, release: Release): Promise<FetchedVariables> {
  const { content = {} } = release.spec;
  const { namespace = '' } = release.metadata;
  return await explained(release, async () => {
    const found: (DataObject | undefined)[] = [];
    for (const reference of content.variablesFrom ?? []) {
      const resource = reference.kind === 'Secret' ? SECRETS : CONFIG_MAPS;
      const at = { namespace, name: reference.name };
      found.push(
        await named(describeReference(reference, namespace), () =>
          findLive<DataObject>(client, resource, at),
        ),
      );
    }
    return variablesOf(content, namespace, found);
  });
}

async function readConfigMaps(
  client: KubeClient,
  { metadata }: Release,
  source: ConfigMapSource,
): Promise<Fetched> {
  const at = { namespace: metadata.namespace ?? '', labelSelector: labelSelectorText(source.selector ?? {}) };
  const sought = { ...source, namespace: at.namespace, limit: MAX_CONFIG_MAPS };
  const found = await named(`the source ${describeConfigMaps(source, at)}`, () =>
    findObjects<ConfigMap>(client, CONFIG_MAPS, sought),
  );
  return await filesOfConfigMaps(source, { ...at, ...found });
}

/** A refusal of the API server that says what was to be read. */
async function named<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    const right = missingRight(error);
    throw new CliProblem(`${what} cannot be read`, {
      why: [error.message],
      hints:
        right === undefined ? [] : [`ask for the right to ${rightText(right)}: the render is made of it`],
      cause: error,
    });
  }
}

async function explained<T>({ metadata }: Release, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new CliProblem(`the source of ${metadata.name} in ${metadata.namespace ?? ''} cannot be read`, {
      why: [error.message],
      hints: ['a sync would fail with SourceFailed and leave everything as it is'],
      cause: error,
    });
  }
}
