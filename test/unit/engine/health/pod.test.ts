import { describe, expect, it } from 'vitest';
import { assess } from '../../../../engine/health/assess.ts';
import { ago, condition, decides, NOW, object, type Parts } from './support.ts';

const notReady = (seconds: number) =>
  condition('Ready', 'False', { reason: 'ContainersNotReady', lastTransitionTime: ago(seconds) });

const waitingFor = (reason: string, seconds: number, list = 'containerStatuses'): Parts => ({
  status: {
    phase: list === 'containerStatuses' ? 'Running' : 'Pending',
    conditions: [notReady(seconds)],
    [list]: [
      { name: 'sidecar', restartCount: 0, state: { running: {} } },
      {
        name: 'web',
        restartCount: 4,
        state: { waiting: { reason, message: 'back-off 40s' } },
        lastState: { terminated: { exitCode: 1 } },
      },
    ],
  },
});

describe('Pod', () => {
  decides('v1', 'Pod', [
    ['ready', { status: { phase: 'Running', conditions: [condition('Ready', 'True')] } }, 'Healthy', 'ready'],
    ['succeeded', { status: { phase: 'Succeeded' } }, 'Healthy', 'ended well'],
    [
      'failed',
      { status: { phase: 'Failed', reason: 'Evicted', message: 'low on memory' } },
      'Degraded',
      'Evicted',
    ],
    [
      'failed without a reason',
      {
        status: {
          phase: 'Failed',
          containerStatuses: [{ name: 'web', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }],
        },
      },
      'Degraded',
      'container web ended with exit code 137: OOMKilled',
    ],
    [
      'failed with an exit code of Windows',
      {
        status: {
          phase: 'Failed',
          containerStatuses: [{ name: 'w', state: { terminated: { exitCode: -5 } } }],
        },
      },
      'Degraded',
      'exit code -5',
    ],
    ['failed, and nothing says why', { status: { phase: 'Failed' } }, 'Degraded', 'did not end well'],
    ['no status yet', {}, 'Progressing', 'no node has been chosen yet'],
    [
      'not ready',
      { status: { phase: 'Running', conditions: [notReady(600)] } },
      'Progressing',
      'not ready yet: ContainersNotReady',
    ],
    [
      'unschedulable, for however long',
      {
        status: {
          phase: 'Pending',
          conditions: [
            condition('PodScheduled', 'False', {
              reason: 'Unschedulable',
              message: '0/3 nodes are available',
              lastTransitionTime: ago(86_400),
            }),
          ],
        },
      },
      'Progressing',
      'not scheduled: Unschedulable: 0/3 nodes are available',
    ],
    ['starting', waitingFor('ContainerCreating', 600), 'Progressing', 'container web: ContainerCreating'],
    ['its node is lost', { status: { phase: 'Unknown', reason: 'NodeLost' } }, 'Unknown', 'NodeLost'],
    ['a phase that nobody knows', { status: { phase: 'constructor' } }, 'Unknown', 'phase constructor'],
  ]);

  describe.each(['CrashLoopBackOff', 'ImagePullBackOff', 'CreateContainerConfigError'])('%s', (reason) => {
    decides('v1', 'Pod', [
      ['for 59 s', waitingFor(reason, 59), 'Progressing', reason],
      ['for a minute', waitingFor(reason, 60), 'Degraded', reason],
      ['of an init container', waitingFor(reason, 61, 'initContainerStatuses'), 'Degraded', reason],
    ]);
  });

  it('names the container, its restarts, its exit code and what the kubelet says', () => {
    expect(assess(object('v1', 'Pod', waitingFor('CrashLoopBackOff', 61)), NOW).message).toBe(
      'container web: CrashLoopBackOff (4 restarts, last exit code 1): back-off 40s',
    );
  });

  it('says when to look again, and is Degraded then', () => {
    const pod = object('v1', 'Pod', waitingFor('CrashLoopBackOff', 45));
    const { recheckAfterMs = 0 } = assess(pod, NOW);
    expect(recheckAfterMs).toBe(15_000);
    const then = assess(pod, new Date(NOW.getTime() + recheckAfterMs));
    expect(then).toMatchObject({ state: 'Degraded' });
    expect(then.recheckAfterMs).toBeUndefined();
    expect(assess(pod, new Date(NOW.getTime() + recheckAfterMs - 1)).state).toBe('Progressing');
  });

  it('never waits longer than a minute for a clock that is ahead', () => {
    const pod = object('v1', 'Pod', waitingFor('CrashLoopBackOff', -3600));
    expect(assess(pod, NOW)).toMatchObject({ state: 'Progressing', recheckAfterMs: 60_000 });
  });

  it('goes by its age where no condition says since when', () => {
    const status = {
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull' } } }],
    };
    const aged = (seconds: number) =>
      object('v1', 'Pod', { metadata: { creationTimestamp: ago(seconds) }, status });
    expect(assess(aged(10), NOW)).toMatchObject({ state: 'Progressing', recheckAfterMs: 50_000 });
    expect(assess(aged(70), NOW)).toMatchObject({ state: 'Degraded' });
    expect(assess(object('v1', 'Pod', { status }), NOW)).toMatchObject({ state: 'Degraded' });
  });
});
