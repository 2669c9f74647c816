import { describe, expect, it } from 'vitest';
import { podGroups, podGroupText } from '../../../../plugin/pods/podGroups.ts';
import { type Pod, podState } from '../../../../plugin/pods/podState.ts';

type Status = NonNullable<Pod['status']>;
type Container = NonNullable<Status['containerStatuses']>[number];

function pod(status: Status, name = 'web-1', metadata: Partial<Pod['metadata']> = {}): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'apps', ...metadata }, status };
}

function waits(reason: string, changes: Partial<Container> = {}, message = ''): Container {
  return { name: 'web', restartCount: 0, state: { waiting: { reason, message } }, ...changes };
}

const crash = (restartCount: number, exitCode = 1, reason = 'Error') =>
  waits(
    'CrashLoopBackOff',
    { restartCount, lastState: { terminated: { exitCode, reason } } },
    'back-off 40s',
  );
const isReady = {
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [{ name: 'web', restartCount: 2 }],
};

describe('what is to be said of a pod', () => {
  it.each<[string, Pod, object]>([
    [
      'a crash loop',
      pod({ phase: 'Running', containerStatuses: [crash(4)] }),
      {
        severity: 'failing',
        reason: 'CrashLoopBackOff',
        exitCode: 1,
        restarts: 4,
        container: 'web',
        message: 'back-off 40s',
      },
    ],
    [
      'one out of memory',
      pod({ containerStatuses: [crash(2, 137, 'OOMKilled')] }),
      { reason: 'CrashLoopBackOff, OOMKilled', exitCode: 137 },
    ],
    [
      'an image that is not there',
      pod({
        phase: 'Pending',
        containerStatuses: [waits('ImagePullBackOff', {}, 'Back-off pulling image "x"')],
      }),
      { severity: 'failing', reason: 'ImagePullBackOff', message: 'Back-off pulling image "x"', restarts: 0 },
    ],
    [
      'an init container, before the others',
      pod({
        initContainerStatuses: [{ ...crash(1), name: 'init' }],
        containerStatuses: [waits('PodInitializing')],
      }),
      { reason: 'CrashLoopBackOff', container: 'init' },
    ],
    [
      'a container that has ended',
      pod({
        phase: 'Running',
        containerStatuses: [
          { name: 'web', restartCount: 1, state: { terminated: { exitCode: 2, reason: 'Error' } } },
        ],
      }),
      { severity: 'failing', reason: 'Error', exitCode: 2, restarts: 1 },
    ],
    [
      'one that was evicted',
      pod({ phase: 'Failed', reason: 'Evicted', message: 'low on memory' }),
      { severity: 'failing', reason: 'Evicted', message: 'low on memory' },
    ],
    [
      'one that no node takes',
      pod({
        phase: 'Pending',
        conditions: [
          { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' },
        ],
      }),
      { severity: 'failing', reason: 'Unschedulable', message: '0/3 nodes' },
    ],
    [
      'one that starts',
      pod({ phase: 'Pending', containerStatuses: [waits('ContainerCreating')] }),
      { severity: 'starting', reason: 'ContainerCreating' },
    ],
    [
      'one that runs and is not ready',
      pod({
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'False', message: 'unready: [web]' }],
        containerStatuses: [
          { name: 'side', ready: true, state: { running: {} } },
          { name: 'web', ready: false, state: { running: {} } },
        ],
      }),
      { severity: 'starting', reason: 'not ready', message: 'unready: [web]', container: 'web' },
    ],
    [
      'one that is ready',
      pod({ phase: 'Running', ...isReady }),
      { severity: 'fine', reason: 'ready', restarts: 2 },
    ],
    ['one that has done its work', pod({ phase: 'Succeeded' }), { severity: 'fine', reason: 'ended well' }],
    [
      'one that goes',
      pod({ phase: 'Running', ...isReady }, 'w', { deletionTimestamp: '2026-03-01T12:00:00Z' }),
      { severity: 'fine', reason: 'being deleted' },
    ],
    [
      'one without status',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'new' } },
      { severity: 'starting', reason: 'no status yet' },
    ],
  ])('%s', (_, of, state) => {
    expect(podState(of)).toMatchObject(state);
  });
});

it('groups pods by what is wrong, the worst first', () => {
  const groups = podGroups([
    pod({ phase: 'Running', ...isReady }, 'a'),
    pod({ containerStatuses: [waits('ContainerCreating')] }, 'b'),
    pod({ containerStatuses: [crash(4)] }, 'c'),
    pod({ containerStatuses: [crash(3)] }, 'd'),
    pod({ containerStatuses: [crash(1, 2)] }, 'e'),
  ]);
  expect(groups.map(podGroupText)).toEqual([
    '2 pods: CrashLoopBackOff, exit code 1, up to 4 restarts',
    '1 pod: CrashLoopBackOff, exit code 2, 1 restart',
    '1 pod: ContainerCreating',
    '1 pod: ready, 2 restarts',
  ]);
  expect(groups[0]).toMatchObject({ pod: 'c', container: 'web', pods: 2 });
});
