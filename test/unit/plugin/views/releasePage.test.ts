import { describe, expect, it } from 'vitest';
import type { ConditionReason } from '../../../../api/conditions.ts';
import type { Release } from '../../../../api/release.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { releasePage, type ReleasePageOptions } from '../../../../plugin/views/releasePage.ts';
import { textWidth } from '../../../../plugin/views/width.ts';
import { before, condition, digest, entry, NOW, release } from '../release.ts';

function page(of: Release, options: Partial<ReleasePageOptions> = {}): string[] {
  return releasePage(of, { now: NOW, width: 80, paint: plain, inventory: [], wide: false, ...options });
}

const REFUSED = 'apps/Deployment web in apps: spec.template.spec.containers[0].image: Required value';
const failed = release({
  conditions: [
    condition('Ready', 'False', 'ApplyFailed', REFUSED),
    condition('Applied', 'False', 'ApplyFailed', REFUSED),
    condition('Healthy', 'True', 'NotAssessed', 'health is not assessed'),
  ],
  source: { revision: digest('b'), fetchedAt: before(300) },
  lastAttempted: {
    renderRef: digest('c'),
    revision: digest('b'),
    at: before(130),
    failure: { stage: 'Apply', message: REFUSED },
  },
  lastSuccessful: { renderRef: digest('d'), revision: digest('e'), at: before(7000) },
  waves: [
    {
      number: 0,
      resources: 2,
      applied: 2,
      healthy: true,
      state: 'Completed',
      startedAt: before(131),
      completedAt: before(130),
    },
  ],
  history: [
    { number: 1, renderRef: digest('d'), revision: digest('e'), appliedAt: before(7000), by: 'jane' },
  ],
});

describe('the page of a Release', () => {
  it('says first how it stands, why, and what to do', () => {
    expect(page(failed, { inventory: [entry()] })).toEqual([
      'Release podinfo in apps: not ready (ApplyFailed, for 2m10s)',
      '  apps/Deployment web in apps: spec.template.spec.containers[0].image: Required',
      '  value',
      '',
      'What to do',
      '  Mend the objects named above in the source. What can heal is tried again by',
      '  itself.',
      '',
      'Source      inline, 7 bytes',
      '            revision sha256:bbbbbbbbbbbb, fetched 5m ago',
      "Into        the controller's own cluster; namespace apps where none is given",
      'Sync        automatic, checked at the latest every 10m',
      'Render      tried    sha256:cccccccccccc, 2m10s ago, failed at Apply',
      '            applied  sha256:dddddddddddd, 116m ago',
      '',
      'CONDITION   STATUS   REASON        SINCE   MESSAGE',
      'Ready       False    ApplyFailed   2m10s   as above',
      'Applied     False    ApplyFailed   2m10s   as above',
      'Healthy     True     NotAssessed   2m10s   health is not assessed',
      '',
      'WAVE   OBJECTS   APPLIED   HEALTHY   STARTED     GATE   STATE',
      '0      2         2         2/2       2m11s ago   -      done',
      '',
      'Objects     1 object: 1 ConfigMap',
      '            health is not assessed',
      '',
      'HISTORY   RENDER                REVISION              APPLIED    BY',
      '1         sha256:dddddddddddd   sha256:eeeeeeeeeeee   116m ago   jane',
    ]);
  });

  it('is short for one that the controller has not taken up', () => {
    expect(page(release(undefined))).toEqual([
      'Release podinfo in apps: not known',
      '  no status yet: the controller has not taken this Release up',
      '',
      'What to do',
      '  See whether the controller runs, and what it logs. One in this cluster is told',
      '  by:',
      '  kubectl convoy version',
      '',
      'Source      inline, 7 bytes',
      "Into        the controller's own cluster; namespace apps where none is given",
      'Sync        automatic, checked at the latest every 10m',
      '',
      'Objects     none',
    ]);
  });

  it('tells nothing to do where all is well', () => {
    const ready = release({ conditions: [condition('Ready', 'True', 'Applied', 'applied')] });
    expect(page(ready).slice(0, 4)).toEqual([
      'Release podinfo in apps: ready (Applied, for 2m10s)',
      '  applied',
      '',
      'Source      inline, 7 bytes',
    ]);
  });

  it('tells the failure of the last attempt where the message speaks of something else', () => {
    const other = release({
      conditions: [condition('Ready', 'False', 'Suspended', 'suspended')],
      lastAttempted: {
        at: before(10),
        failure: { stage: 'Source', message: 'no such ConfigMap\nsecond line' },
      },
    });
    expect(page(other)).toEqual(
      expect.arrayContaining(['Failed at Source', '  no such ConfigMap', '  second line']),
    );
  });

  it('shows what is being deleted, suspended and kept elsewhere', () => {
    const going = release(
      { conditions: [condition('Ready', 'False', 'Deleting', 'waits for a finalizer')] },
      {
        spec: {
          source: { inline: '' },
          suspend: true,
          clusterRef: { name: 'prod' },
          targetNamespace: 'shop',
        },
      },
    );
    going.metadata.deletionTimestamp = before(60);
    const lines = page(going);
    expect(lines[0]).toBe(
      'Release podinfo in apps: not ready (Deleting, for 2m10s), being deleted since 60s',
    );
    expect(lines).toContain('Into        Cluster prod; namespace shop where none is given');
    expect(lines).toContain('Suspended   nothing is applied, put right or pruned');
  });

  it('takes a deletion that has only begun for no change of the spec', () => {
    const going = release({
      conditions: [condition('Ready', 'True', 'Applied', 'applied')],
      observedGeneration: 1,
    });
    Object.assign(going.metadata, { generation: 2, deletionTimestamp: before(1) });
    expect(page(going).slice(0, 2)).toEqual([
      'Release podinfo in apps: not known, being deleted since 1s',
      '  the controller has not said yet what is still to be removed',
    ]);
  });

  it('tells a render that counts as healthy from one whose health was assessed', () => {
    const healthy = (reason: ConditionReason) =>
      release({
        conditions: [condition('Healthy', 'True', reason, '')],
        lastHealthy: { renderRef: digest('d'), revision: digest('e'), at: before(10) },
      });
    const line = 'Render      healthy  sha256:dddddddddddd, 10s ago';
    expect(page(healthy('NotAssessed'))).toContain(`${line} (not assessed)`);
    expect(page(healthy('AllHealthy'))).toContain(line);
  });

  it('counts what is older than the history it shows', () => {
    const history = Array.from({ length: 8 }, (_, index) => ({
      number: 8 - index,
      renderRef: digest('a'),
      revision: 'main',
      appliedAt: before(index),
    }));
    expect(page(release({ history })).slice(-2)).toEqual([
      '4         sha256:aaaaaaaaaaaa   main       4s ago    -',
      '  and 3 older',
    ]);
  });

  it('is worth having where the objects may not be read', () => {
    expect(page(failed, { inventory: { unreadable: 'forbidden' } })).toContain(
      'Objects     not readable: forbidden',
    );
  });

  it.each([60, 80, 120])('fits %i columns, whatever the messages hold', (width) => {
    const message = `web: ${'x'.repeat(300)} ${'word '.repeat(80)}\u001b[31m`;
    const long = release({
      conditions: [condition('Ready', 'False', 'ApplyFailed', message)],
      lastAttempted: { at: before(5), failure: { stage: 'Apply', message: `${message}, and more` } },
    });
    const health = { state: 'Degraded', message, since: before(9), renderRef: digest('a') } as const;
    const lines = page(long, { width, inventory: [entry({ name: 'n'.repeat(200), health })] });
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
    expect(lines.join('\n')).not.toContain('\u001b');
  });

  it('keeps each text on one line where the output is no terminal', () => {
    const text = 'word '.repeat(100).trim();
    const lines = page(release({ conditions: [condition('Ready', 'False', 'ApplyFailed', text)] }), {
      width: Infinity,
    });
    expect(lines).toContain(`  ${text}`);
  });
});
