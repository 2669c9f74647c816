import type { PodGroup } from '../pods/podGroups.ts';
import { NOT_READY } from '../pods/podState.ts';
import type { WhyObject } from './whyReport.ts';

/** The command that tells more about an object: the log of a container that fails, or what `describe` knows. */
export function nextStep({ key, pods = [] }: WhyObject): string {
  const worst = 'unreadable' in pods ? undefined : failing(pods);
  if (worst === undefined) return describeCommand(key);
  const kubectl = `kubectl -n ${key.namespace}`;
  if (worst.container === undefined || worst.exitCode === undefined)
    return `${kubectl} describe pod ${worst.pod}`;
  return `${kubectl} logs ${worst.pod} -c ${worst.container}${hasEnded(worst) ? ' --previous' : ''}`;
}

/** The group to look into first. */
export function failing(pods: readonly PodGroup[]): PodGroup | undefined {
  return (
    pods.find(({ severity }) => severity === 'failing') ??
    pods.find(({ severity }) => severity === 'starting')
  );
}

/** The container has run before and waits to run again: its log is that of the last run. */
export function hasEnded({ reason, exitCode }: PodGroup): boolean {
  return exitCode !== undefined && reason.startsWith('CrashLoopBackOff');
}

/** The container has written a log: it runs, or has run before. */
export function hasRun({ reason, exitCode }: PodGroup): boolean {
  return exitCode !== undefined || reason === NOT_READY;
}

function describeCommand({ group, kind, namespace, name }: WhyObject['key']): string {
  const type = `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}`;
  return `kubectl ${namespace === '' ? '' : `-n ${namespace} `}describe ${type} ${name}`;
}
