import type { HookPhase } from '../../../api/annotations.ts';
import type { HookStatus, LifecycleHook, Release } from '../../../api/release.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import type { Releases } from './fixture.ts';

/** What the simulated pods of a hook do. */
export interface HookFate {
  /** They succeed after so long. */
  delay?: string;
  fail?: 'exit';
}

/** The spec of a Job whose pods come to this end. */
function jobSpec({ delay, fail }: HookFate = {}, more: object = {}): Record<string, unknown> {
  const annotations = {
    ...(delay === undefined ? {} : { 'convoy.kumodo.io/test-delay': delay }),
    ...(fail === undefined ? {} : { 'convoy.kumodo.io/test-fail': fail }),
  };
  return {
    backoffLimit: 0,
    template: {
      metadata: { annotations },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'work', image: 'registry.example/work:1' }],
      },
    },
    ...more,
  };
}

/** A hook of spec.lifecycleHooks. */
export function hook(
  name: string,
  fate: HookFate = {},
  more: Partial<LifecycleHook> & { spec?: object } = {},
): LifecycleHook {
  const { spec = {}, ...rest } = more;
  return { name, job: jobSpec(fate, spec), ...rest };
}

/** A Job of the render that is a hook, as YAML. */
export function hookYaml(
  name: string,
  phase: HookPhase,
  { wave, finalizers, ...fate }: HookFate & { wave?: number; finalizers?: string[] } = {},
): string {
  const annotations = {
    'convoy.kumodo.io/hook': phase,
    ...(wave === undefined ? {} : { 'convoy.kumodo.io/sync-wave': String(wave) }),
  };
  const metadata = { name, annotations, ...(finalizers === undefined ? {} : { finalizers }) };
  return `${JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobSpec(fate) })}\n`;
}

/** `phase name state` of each hook in the status, in their order. */
export function told({ status }: Release): string[] {
  return (status?.hooks ?? []).map(({ phase, name, state }) => `${phase} ${name} ${state}`);
}

/** A hook in the status. */
export function hookNamed({ status }: Release, name: string): HookStatus {
  const found = status?.hooks?.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`status.hooks has no ${name}`);
  return found;
}

/** Waits until a hook is in this state. */
export async function untilHook(
  releases: Releases,
  name: string,
  state: HookStatus['state'],
): Promise<Release> {
  return await releases.until(
    ({ status }) => status?.hooks?.some((entry) => entry.name === name && entry.state === state) === true,
  );
}

/** Waits until a hook has its Job: the status names it before that. */
export async function untilMade(releases: Releases, name: string): Promise<Release> {
  return await releases.until(
    ({ status }) => status?.hooks?.some((entry) => entry.name === name && entry.uid !== undefined) === true,
  );
}

/** All Jobs in the test's namespace. */
export async function jobs(releases: Releases): Promise<ApiObject[]> {
  const path = `/apis/batch/v1/namespaces/${releases.namespace}/jobs`;
  const { items } = (await releases.cluster.api.must('GET', path)) as unknown as { items: ApiObject[] };
  return items;
}

/** A Job in the test's namespace. */
export async function jobNamed(releases: Releases, name: string): Promise<ApiObject> {
  const found = await releases.find(`jobs/${name}`, '/apis/batch/v1');
  if (found === undefined) throw new Error(`there is no Job ${name} in ${releases.namespace}`);
  return found;
}

/** Names of the pods of a Job. */
export async function podsOf(releases: Releases, job: string): Promise<string[]> {
  const path = `/api/v1/namespaces/${releases.namespace}/pods?labelSelector=job-name%3D${job}`;
  const { items } = (await releases.cluster.api.must('GET', path)) as unknown as { items: ApiObject[] };
  return items.map(({ metadata }) => metadata.name);
}
