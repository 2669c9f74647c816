import type { KubeObject, ObjectKey } from '../../api/object.ts';
import { ApiError } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { type LabelSelector, labelSelectorText } from '../../kube/selector.ts';
import type { Session } from '../cluster/session.ts';
import { type PodGroup, podGroups } from './podGroups.ts';
import type { Pod } from './podState.ts';

/** The pods of a workload by what is wrong with them, or why they cannot be read. */
export type PodsView = readonly PodGroup[] | { unreadable: string };

const PODS = resource('', 'Pod', 'pods');

/** Kinds whose pods have their selector; of a CronJob, its Jobs come and go. By `group/kind`. */
const WORKLOADS: Readonly<Record<string, ApiResource>> = {
  'apps/Deployment': resource('apps', 'Deployment', 'deployments'),
  'apps/StatefulSet': resource('apps', 'StatefulSet', 'statefulsets'),
  'apps/DaemonSet': resource('apps', 'DaemonSet', 'daemonsets'),
  'apps/ReplicaSet': resource('apps', 'ReplicaSet', 'replicasets'),
  'batch/Job': resource('batch', 'Job', 'jobs'),
};

/** One page; whoever has more pods that fail knows what to look for. */
const MAX_PODS = 500;
const LOG_LINES = 10;
const LOG_BYTES = 16 * 1024;

/** Reads the pods that stand behind an object. @returns undefined for a kind that has none */
export async function readPods({ client }: Session, key: ObjectKey): Promise<PodsView | undefined> {
  const { namespace, name } = key;
  const workload = WORKLOADS[`${key.group}/${key.kind}`];
  const isPod = key.group === '' && key.kind === 'Pod';
  if (workload === undefined && !isPod) return undefined;
  try {
    if (workload === undefined) return podGroups([await client.get<Pod>(PODS, { namespace, name })]);
    const labelSelector = selectorOf(await client.get(workload, { namespace, name }));
    if (labelSelector === '') return [];
    const { items } = await client.list<Pod>(PODS, { namespace, labelSelector, limit: MAX_PODS });
    return podGroups(items);
  } catch (error) {
    return unreadable(error);
  }
}

/** The last lines that a container wrote, or those of its last run, where it waits to be started again. */
export async function readLogLines(
  { transport }: Session,
  {
    namespace,
    pod,
    container,
    previous,
  }: { namespace: string; pod: string; container: string; previous: boolean },
): Promise<string[] | { unreadable: string }> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`;
  const query = {
    container,
    previous: String(previous),
    tailLines: String(LOG_LINES),
    limitBytes: String(LOG_BYTES),
  };
  try {
    const { body } = await transport.request({ method: 'GET', path, query, accept: '*/*' });
    return typeof body === 'string' ? body.trimEnd().split('\n') : [];
  } catch (error) {
    return unreadable(error);
  }
}

/** An empty selector would select every pod of the namespace. */
function selectorOf({ spec }: KubeObject): string {
  return labelSelectorText((spec as { selector?: LabelSelector } | undefined)?.selector ?? {});
}

function unreadable(error: unknown): { unreadable: string } {
  if (error instanceof ApiError) return { unreadable: error.serverMessage };
  throw error;
}

function resource(group: string, kind: string, plural: string): ApiResource {
  return { group, version: 'v1', kind, plural, namespaced: true, verbs: ['get', 'list'] };
}
