import { expect, test } from 'vitest';
import type { FailurePolicy } from '../../../api/release.ts';
import { configMapIn, deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();

/** Edge case 38, for each policy: nothing is gone back to, and what others had made is not taken away. */
test.each<NonNullable<FailurePolicy['rollback']>>(['Never', 'OnReleaseFailure', 'OnWaveFailure'])(
  'a first apply that fails under %s does not delete an object that was there before',
  async (rollback) => {
    await releases.createConfigMap('front', { data: { by: 'somebody' } });
    const before = await releases.find('configmaps/front');
    await releases.create({
      source: {
        inline: sourceOf(
          configMapIn({ wave: 0 }, 'front'),
          deploymentIn({ wave: 0 }, 'store', { fail: 'crash' }),
          configMapIn({ wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '1s' }, 'behind'),
        ),
      },
      healthAssessment: { deadline: '3s' },
      failurePolicy: { rollback },
      syncPolicy: { prune: { orphaned: true } },
    });
    const failed = await releases.until(({ status }) => status?.rollout?.state === 'Failed');
    expect(failed.status?.lastHealthy).toBeUndefined();
    await releases.ready('RolloutFailed');
    const after = await releases.find('configmaps/front');
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after).toMatchObject({ data: { by: 'somebody' } });
    expect(await releases.find('configmaps/behind')).toBeUndefined();
  },
);
