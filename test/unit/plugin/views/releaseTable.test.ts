import { describe, expect, it } from 'vitest';
import { plain } from '../../../../plugin/cli/paint.ts';
import { releaseTable } from '../../../../plugin/views/releaseTable.ts';
import type { ListTableOptions } from '../../../../plugin/views/table.ts';
import { condition, digest, NOW, release } from '../release.ts';

const OPTIONS: ListTableOptions = {
  now: NOW,
  wide: false,
  allNamespaces: false,
  headers: true,
  width: Infinity,
  paint: plain,
};
const applied = release({
  conditions: [
    condition('Ready', 'True', 'Applied', '3 objects in 1 wave applied'),
    condition('Applied', 'True', 'Applied'),
    condition('Healthy', 'True', 'NotAssessed'),
  ],
  source: { revision: digest('b'), fetchedAt: '2026-03-01T11:00:00Z' },
  inventory: { entries: 3, shards: 1 },
});

describe('the table of Releases', () => {
  it('has the columns of kubectl get', () => {
    expect(releaseTable([applied], OPTIONS)).toEqual([
      'NAME      READY   REASON    REVISION              AGE    MESSAGE',
      'podinfo   True    Applied   sha256:bbbbbbbbbbbb   120m   3 objects in 1 wave applied',
    ]);
  });

  it('has more of them where it may be wide', () => {
    expect(releaseTable([applied], { ...OPTIONS, wide: true, allNamespaces: true })).toEqual([
      'NAMESPACE   NAME      READY   REASON    REVISION              APPLIED   HEALTHY   ROLLOUT   CLUSTER   OBJECTS   AGE    MESSAGE',
      'apps        podinfo   True    Applied   sha256:bbbbbbbbbbbb   True      True      -         -         3         120m   3 objects in 1 wave applied',
    ]);
  });

  it('gives up the revision before the message on 80 columns', () => {
    const long = release({
      conditions: [condition('Ready', 'False', 'WaitingForWaveHealth', 'wave 1 waits for it')],
    });
    expect(releaseTable([long], { ...OPTIONS, width: 62 })).toEqual([
      'NAME      READY   REASON                 AGE    MESSAGE',
      'podinfo   False   WaitingForWaveHealth   120m   wave 1 waits…',
    ]);
  });

  it('says where the controller has not spoken', () => {
    expect(releaseTable([release(undefined)], OPTIONS)[1]).toBe(
      'podinfo   Unknown   -        -          120m   no status yet: the controller has not taken this Release up',
    );
  });

  it('does not pass off an old status for the present spec', () => {
    const changed = release({ conditions: [condition('Ready', 'True', 'Applied')], observedGeneration: 1 });
    changed.metadata.generation = 2;
    const [, line = ''] = releaseTable([changed], OPTIONS);
    expect(line).toMatch(/^podinfo +Unknown +- .*generation 2/);
  });
});
