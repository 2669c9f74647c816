import { API_VERSION } from '../../api/group.ts';
import { conditionOf } from '../../controller/release/conditions.ts';
import type { Release, ReleaseSpec } from '../../api/release.ts';
import type { ApiAccess } from '../controlplane/apiAccess.ts';

export function releasesPath(namespace: string): string {
  return `/apis/${API_VERSION}/namespaces/${namespace}/releases`;
}

export interface ReleaseInput {
  namespace: string;
  name: string;
  spec: ReleaseSpec;
  annotations?: Record<string, string>;
}

/** Creates a Release as a user would. */
export async function createRelease(
  api: ApiAccess,
  { namespace, name, spec, annotations }: ReleaseInput,
): Promise<Release> {
  const metadata = { name, namespace, ...(annotations === undefined ? {} : { annotations }) };
  return (await api.must('POST', releasesPath(namespace), {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata,
    spec,
  })) as unknown as Release;
}

/** Merge-patches a Release's spec or metadata. */
export async function patchRelease(
  api: ApiAccess,
  { namespace, name }: { namespace: string; name: string },
  patch: object,
): Promise<Release> {
  return (await api.must('PATCH', `${releasesPath(namespace)}/${name}`, patch)) as unknown as Release;
}

export type ReadyReason = string;

/** Waits until Ready has this reason for the current generation, by a watch. */
export async function waitForReady(
  api: ApiAccess,
  { namespace, name }: { namespace: string; name: string },
  reason: ReadyReason,
  timeoutMs = 30_000,
): Promise<Release> {
  const found = await api.waitForNamed(
    releasesPath(namespace),
    name,
    (object) => {
      const release = object as unknown as Release;
      const ready = conditionOf(release.status?.conditions, 'Ready');
      return ready?.reason === reason && ready.observedGeneration === release.metadata.generation;
    },
    timeoutMs,
  );
  return found as unknown as Release;
}

/** Message of a Release's Ready condition. */
export function readyMessage(release: Release): string {
  return conditionOf(release.status?.conditions, 'Ready')?.message ?? '';
}

/** A ConfigMap as YAML. */
export function configMapYaml(name: string, data: Record<string, string> = { key: 'value' }): string {
  const lines = Object.entries(data).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
  return ['apiVersion: v1', 'kind: ConfigMap', `metadata: {name: ${name}}`, 'data:', ...lines, ''].join('\n');
}
