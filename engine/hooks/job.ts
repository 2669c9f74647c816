import { createHash } from 'node:crypto';
import { HOOK, MANAGED_BY, MANAGED_BY_LABEL } from '../../api/annotations.ts';
import { API_VERSION } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { ownerLabels } from '../../api/ownership.ts';
import type { HookSync, Release } from '../../api/release.ts';
import { isMap } from '../render/objects.ts';
import { listAt } from '../render/podSpec.ts';
import type { Hook } from './hook.ts';

/** Characters of the name of a Job, which is a label of its pods. */
const MAX_NAME = 63;
const HASH_DIGITS = 10;
const CONTAINERS = ['initContainers', 'containers'];

/** What a hook is told of the sync that runs it. */
export interface HookOccasion {
  renderRef: string;
  revision: string;
  /** Of a syncFailed hook why the sync failed, of all others why there is a sync. */
  reason: string;
}

/**
 * The name of the Job of a hook: the same for the same sync, so that it is found again after a restart, and another for
 * every other sync.
 */
export function hookJobName(hook: Hook, release: Release, sync: HookSync): string {
  const { uid = '', name } = release.metadata;
  const { phase, namespace, name: own } = hook;
  const occasion = phase === 'syncFailed' ? [sync.failure?.reason, sync.failure?.at] : [];
  const { renderRef, request, startedAt } = sync;
  const text = JSON.stringify([uid, renderRef, request, startedAt, phase, namespace, own, ...occasion]);
  const digits = createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
  const readable = `${name}-${own}`.replaceAll('.', '-').slice(0, MAX_NAME - HASH_DIGITS - 1);
  return `${readable}-${digits}`;
}

/**
 * The Job that runs a hook. Its TTL is withheld until the outcome is written down: a controller that is away meanwhile must
 * not miss it. Kubernetes ends it at the hook's timeout, also where no controller is there.
 */
export function hookJob(hook: Hook, release: Release, name: string, occasion: HookOccasion): KubeObject {
  const { metadata, namespace, phase, spec, timeoutMs } = hook;
  const { activeDeadlineSeconds, template, ...rest } = spec;
  delete rest['ttlSecondsAfterFinished'];
  const seconds = deadlineSeconds(timeoutMs);
  const own = typeof activeDeadlineSeconds === 'number' ? activeDeadlineSeconds : seconds;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...metadata,
      name,
      namespace,
      labels: {
        [MANAGED_BY_LABEL]: MANAGED_BY,
        ...metadata.labels,
        ...ownerLabels(release),
        [HOOK]: phase,
      },
      ...ownedBy(release, namespace),
    },
    spec: {
      ...rest,
      activeDeadlineSeconds: Math.min(own, seconds),
      template: withEnvironment(template, environment(hook, release, occasion)),
    },
  };
}

/** A hook's timeout as a Job takes it. */
export function deadlineSeconds(timeoutMs: number): number {
  return Math.max(1, Math.ceil(timeoutMs / 1000));
}

/** Seconds that the Job is kept for when it has ended; undefined: until the next sync. */
export function withheldTtl({ spec }: Hook): number | undefined {
  const { ttlSecondsAfterFinished: ttl } = spec;
  return typeof ttl === 'number' ? ttl : undefined;
}

/** The garbage collector removes what a Release leaves that went without its finalizer; only inside one namespace of one cluster. */
function ownedBy(
  { metadata, spec }: Release,
  namespace: string,
): Pick<KubeObject['metadata'], 'ownerReferences'> {
  const { name, uid = '', namespace: home = '' } = metadata;
  if (home !== namespace || spec.clusterRef !== undefined) return {};
  return { ownerReferences: [{ apiVersion: API_VERSION, kind: 'Release', name, uid }] };
}

type Variable = Readonly<{ name: string; value: string }>;

function environment({ phase }: Hook, { metadata }: Release, occasion: HookOccasion): Variable[] {
  return [
    { name: 'CONVOY_RELEASE', value: metadata.name },
    { name: 'CONVOY_NAMESPACE', value: metadata.namespace ?? '' },
    { name: 'CONVOY_RENDER', value: occasion.renderRef },
    { name: 'CONVOY_REVISION', value: occasion.revision },
    { name: 'CONVOY_PHASE', value: phase },
    { name: 'CONVOY_REASON', value: occasion.reason },
  ];
}

/** Convoy's variables come first, so that those of the author can refer to them, and replace any of the same name. */
function withEnvironment(template: unknown, variables: readonly Variable[]): unknown {
  if (!isMap(template) || !isMap(template['spec'])) return template;
  const names = new Set<unknown>(variables.map(({ name }) => name));
  const extended = (container: unknown): unknown => {
    if (!isMap(container)) return container;
    const own = listAt(container, ['env']).filter((entry) => !isMap(entry) || !names.has(entry['name']));
    return { ...container, env: [...variables, ...own] };
  };
  const podSpec = template['spec'];
  const extendedSpec = { ...podSpec };
  for (const field of CONTAINERS) {
    if (Array.isArray(podSpec[field])) extendedSpec[field] = listAt(podSpec, [field]).map(extended);
  }
  return { ...template, spec: extendedSpec };
}
