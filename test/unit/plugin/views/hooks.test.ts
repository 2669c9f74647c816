import { expect, test } from 'vitest';
import type { HookStatus } from '../../../../api/release.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { hookTable } from '../../../../plugin/views/hookTable.ts';
import { planReport } from '../../../../plugin/offline/plan.ts';
import { planPage } from '../../../../plugin/views/planPage.ts';
import { releasePage } from '../../../../plugin/views/releasePage.ts';
import { whyData } from '../../../../plugin/views/whyData.ts';
import { whyPage } from '../../../../plugin/views/whyPage.ts';
import { textWidth } from '../../../../plugin/views/width.ts';
import { whyReport } from '../../../../plugin/why/whyReport.ts';
import { before, condition, NOW, release } from '../release.ts';

const PAGE = { now: NOW, width: 120, paint: plain };
const HOOKS: HookStatus[] = [
  {
    ...{
      name: 'warm',
      phase: 'preSync',
      namespace: 'apps',
      state: 'Succeeded',
      job: 'podinfo-warm-1',
      uid: '1',
    },
    ...{ startedAt: before(90), completedAt: before(60) },
  },
  {
    ...{
      name: 'migrate',
      phase: 'preSync',
      namespace: 'jobs',
      state: 'Failed',
      job: 'podinfo-migrate-2',
      uid: '2',
    },
    ...{ startedAt: before(60), completedAt: before(50), message: 'BackoffLimitExceeded: too often' },
  },
  {
    name: 'tell',
    phase: 'postSync',
    namespace: 'apps',
    state: 'Skipped',
    message: 'preSync hook migrate failed',
  },
];
const FAILED = release({
  conditions: [condition('Ready', 'False', 'HookFailed'), condition('Applied', 'False', 'HookFailed')],
  hooks: HOOKS,
});

test('a table has a row for each hook with how it stands and why', () => {
  expect(hookTable(HOOKS, PAGE)).toEqual([
    'HOOK      PHASE      STATE       STARTED   TOOK   JOB                 MESSAGE',
    'warm      preSync    Succeeded   90s ago   30s    podinfo-warm-1',
    'migrate   preSync    Failed      60s ago   10s    podinfo-migrate-2   BackoffLimitExceeded: too often',
    'tell      postSync   Skipped     -         -      -                   preSync hook migrate failed',
  ]);
  expect(hookTable([], PAGE)).toEqual([]);
});

test('a narrow page keeps what a person needs', () => {
  const lines = hookTable(HOOKS, { ...PAGE, width: 40 });
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(40);
  expect(lines[2]).toContain('Failed');
});

test('the pages of status and why show the hooks and the commands that tell more of the one that failed', () => {
  const status = releasePage(FAILED, { ...PAGE, inventory: [], wide: false });
  const report = whyReport(FAILED, [], NOW);
  for (const lines of [status, whyPage(report, PAGE)]) {
    expect(lines).toEqual(expect.arrayContaining(hookTable(HOOKS, PAGE)));
    expect(lines).toContain('  kubectl -n jobs logs job/podinfo-migrate-2 --all-containers');
    expect(lines).toContain('  kubectl convoy release sync podinfo -n apps');
    expect(lines.join('\n')).not.toContain('podinfo-warm-1 --all');
  }
  expect(whyData(report)).toMatchObject({ hooks: HOOKS });
});

test('a Release that waits for a hook tells how to look at its Job, and one that waits for something else does not', () => {
  const [hook] = HOOKS;
  const hooks: HookStatus[] = hook === undefined ? [] : [{ ...hook, state: 'Running' }];
  const waiting = release({ conditions: [condition('Ready', 'False', 'WaitingForHook')], hooks });
  const lines = whyPage(whyReport(waiting, [], NOW), PAGE);
  expect(lines).toContain('  kubectl -n apps logs job/podinfo-warm-1 --all-containers');
  const other = release({ conditions: [condition('Ready', 'False', 'SourceFailed')], hooks });
  const report = whyReport(other, [], NOW);
  expect(whyPage(report, PAGE).join('\n')).not.toContain('podinfo-warm-1');
  expect(whyData(report)).not.toHaveProperty('hooks');
});

test('a plan names the hooks by phase, and does not count them as objects', () => {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', namespace: 'shop', annotations: { 'convoy.kumodo.io/hook': 'preSync' } },
  };
  const lifecycleHooks = { postSync: [{ name: 'tell', job: {} }], preSync: [{ name: 'warm', job: {} }] };
  const own = release(undefined, { spec: { source: { inline: 'x' }, lifecycleHooks } });
  const hooksIn = (of: typeof own | undefined) => planPage(planReport([job], of, []), PAGE);
  expect(hooksIn(own)).toEqual([
    '0 objects in 0 waves',
    '',
    'Hooks',
    '  - preSync: warm in apps',
    '  - preSync: migrate in shop',
    '  - postSync: tell in apps',
  ]);
  expect(hooksIn(undefined)).toEqual(['0 objects in 0 waves', '', 'Hooks', '  - preSync: migrate in shop']);
});
