import { describe, expect, it } from 'vitest';
import type { ConditionReason } from '../../../../api/conditions.ts';
import type { InventoryEntry } from '../../../../api/inventory.ts';
import type { Release } from '../../../../api/release.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import type { PodGroup } from '../../../../plugin/pods/podGroups.ts';
import { whyData } from '../../../../plugin/views/whyData.ts';
import { whyPage } from '../../../../plugin/views/whyPage.ts';
import { type WhyObject, whyReport } from '../../../../plugin/why/whyReport.ts';
import { applied, before, condition, digest, entry, health, NOW, release, waiting } from '../release.ts';

const { release: held, entries } = waiting();
const PAGE = { now: NOW, width: 80, paint: plain };
const CRASH: PodGroup = {
  ...{ severity: 'failing', reason: 'CrashLoopBackOff', exitCode: 1, pods: 2, restarts: [4, 4] },
  ...{ message: 'back-off 40s', pod: 'web-1', container: 'web' },
};

function why(of: Release, of_: readonly InventoryEntry[], found: Partial<WhyObject> = {}): string[] {
  const report = whyReport(of, of_, NOW);
  return whyPage({ ...report, objects: report.objects.map((object) => ({ ...object, ...found })) }, PAGE);
}

const withPolicy = (rollback: 'Never' | 'OnWaveFailure'): Release => ({
  ...held,
  spec: { ...held.spec, failurePolicy: { rollback } },
});

describe('why a Release waits', () => {
  it('tells the gate, the time, what happens then, the objects, their pods, and what to run', () => {
    const pods = [
      CRASH,
      { ...CRASH, severity: 'fine', reason: 'ready', pods: 1, restarts: [0, 0] } as PodGroup,
    ];
    expect(why(held, entries, { pods })).toEqual([
      'Release podinfo in apps waits: wave 1 is applied when wave 0 is healthy',
      '',
      'Applied     1 of 3 waves',
      'Waits       for 100s, at most 2m: 20s left',
      'Then        the Release is WaveFailed; as soon as wave 0 is healthy, wave 1 is',
      '            applied all the same',
      '',
      '1 of 2 objects of wave 0 is not healthy:',
      '',
      'apps/Deployment web in apps: Progressing for 90s',
      '  1 of 3 replicas is available',
      '  2 pods: CrashLoopBackOff, exit code 1, 4 restarts',
      '      back-off 40s',
      '  1 pod: ready, exit code 1',
      '  kubectl -n apps logs web-1 -c web --previous',
    ]);
  });

  it.each<[string, Release, string]>([
    ['without a policy', held, 'the Release is WaveFailed'],
    ['without a rollback', withPolicy('Never'), 'the Release is RolloutFailed and nothing is rolled back'],
    ['with a rollback that cannot be', withPolicy('OnWaveFailure'), 'the Release is RolloutFailed'],
    [
      'with a rollback',
      {
        ...withPolicy('OnWaveFailure'),
        status: { ...held.status, lastHealthy: { renderRef: digest('c'), revision: 'r', at: before(900) } },
      },
      'it is rolled back to the last healthy render, sha256:cccccccccccc',
    ],
  ])('tells what happens then %s', (_, of, then) => {
    expect(why(of, entries).join(' ').replace(/ +/g, ' ')).toContain(`Then ${then}`);
  });

  it('tells a limit that passed, and that it is not the end', () => {
    const late = { ...PAGE, now: new Date(NOW.getTime() + 60_000) };
    expect(whyPage(whyReport(held, entries, late.now), late).slice(0, 7)).toEqual([
      'Release podinfo in apps has failed: wave 0 was not healthy within 2m, so wave',
      '  1 is not applied',
      '',
      'Applied     1 of 3 waves',
      'Waits       for 2m40s, at most 2m: passed 40s ago',
      'Now         as soon as wave 0 is healthy, wave 1 is applied',
      '',
    ]);
  });

  it('says so where pods and logs cannot be read', () => {
    const lines = { unreadable: 'pods/log is forbidden' };
    const page = why(held, entries, { pods: [CRASH], logs: { pod: 'web-1', container: 'web', lines } });
    expect(page).toContain('  the log of web in web-1 cannot be read: pods/log is forbidden');
    const blind = why(held, entries, { pods: { unreadable: 'pods is forbidden' } });
    expect(blind).toContain('  its pods cannot be read: pods is forbidden');
    expect(blind.at(-1)).toBe('  kubectl -n apps describe deployment.apps web');
  });

  it('lets no control character of a log through', () => {
    const logs = { pod: 'web-1', container: 'web', lines: ['panic: \u001b[31mred\u0007', 'second'] };
    expect(why(held, entries, { pods: [CRASH], logs })).toEqual(
      expect.arrayContaining(['  last lines of web in web-1:', '      panic: red\ufffd', '      second']),
    );
  });

  it('shows ten objects, and counts the others', () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      entry({ name: `o${index}`, health: health('Degraded') }),
    );
    const of = release(
      {
        conditions: [condition('Ready', 'False', 'Degraded')],
        lastAttempted: { renderRef: digest('a'), at: before(100) },
        waves: [applied(0)],
      },
      { spec: { source: { inline: 'x' }, healthAssessment: {} } },
    );
    const page = why(of, many);
    expect(page).toContain('25 objects are not healthy:');
    expect(page.at(-1)).toBe('and 15 more: kubectl convoy release status podinfo -n apps -o wide');
    expect(page.filter((line) => line.startsWith('ConfigMap'))).toHaveLength(10);
  });

  it.each<[ConditionReason, 'True' | 'False', RegExp]>([
    [
      'Applied',
      'True',
      /^Release podinfo in apps waits for nothing: it is ready \(Applied, for 2m10s\) {3}a message$/,
    ],
    [
      'SourceFailed',
      'False',
      /is not ready: SourceFailed, for 2m10s \(the source +could not be fetched\).*What to do.*Mend the source/,
    ],
    ['WaitingForSync', 'False', /kubectl convoy release sync podinfo -n apps --wait/],
    ['Suspended', 'False', /Suspended, for 2m10s.*release resume podinfo/],
  ])('answers for %s too', (reason, status, expected) => {
    const page = why(release({ conditions: [condition('Ready', status, reason)] }), []);
    expect(page.join(' ').replace(/ $/, '')).toMatch(expected);
    expect(page.join()).not.toContain('release why');
  });

  it('answers for one that nobody has taken up', () => {
    expect(why(release(undefined), [])).toEqual([
      'Release podinfo in apps is not known',
      '  no status yet: the controller has not taken this Release up',
      '',
      'What to do',
      '  See whether the controller runs, and what it logs. One in this cluster is told',
      '  by:',
      '  kubectl convoy version',
    ]);
  });
});

it('the data has the gate, the objects and what to run', () => {
  const report = whyReport(held, entries, NOW);
  const data = whyData({
    ...report,
    objects: report.objects.map((object) => ({ ...object, pods: [CRASH] })),
  });
  expect(JSON.parse(JSON.stringify(data))).toMatchObject({
    namespace: 'apps',
    name: 'podinfo',
    ready: { reason: 'WaitingForWaveHealth' },
    waves: { applied: 1, total: 3 },
    gate: {
      ...{ wave: 1, afterWave: 0, failed: false, limit: '2m0s', until: '2026-03-01T12:00:20.000Z' },
      onFailure: { applied: 'WaveFailed' },
    },
    objects: [
      {
        ...{ kind: 'Deployment', name: 'web', wave: 0, state: 'Progressing' },
        pods: [{ reason: 'CrashLoopBackOff', exitCode: 1, pods: 2 }],
        nextStep: 'kubectl -n apps logs web-1 -c web --previous',
      },
    ],
  });
});
