import { describe, expect, it } from 'vitest';
import { plain } from '../../../../plugin/cli/paint.ts';
import { ChangeLines } from '../../../../plugin/views/changeLines.ts';
import { doneText, syncLines, syncPage, type SyncView } from '../../../../plugin/views/syncPage.ts';
import { NOW, waiting } from '../release.ts';

const { release, entries } = waiting();
const view: SyncView = {
  ...{ release, inventory: entries },
  ...{ state: { phase: 'running' }, request: { id: 'r1', force: false }, since: NOW.getTime() - 12_000 },
};

describe('a sync that is followed', () => {
  it('shows how far it is, what it waits for, and the waves', () => {
    expect(syncPage(view, { now: NOW, width: 80, paint: plain })).toEqual([
      'Sync of podinfo in apps is under way: 0 of 3 waves done, 12s',
      '  WaitingForWaveHealth: wave 1 waits for wave 0 to be healthy, until',
      '  2026-03-01T12:00:20Z (2m0s): apps/Deployment web in apps (Progressing: 1 of 3',
      '  replicas is available)',
      'WAVE   HEALTHY   STARTED    GATE                  STATE',
      '0      1/2       100s ago   -                     applied, not all healthy',
      '1      0/1       -          healthy, at most 2m   waits for wave 0: 20s left',
      '2      0/1       -          healthy               comes after wave 1',
    ]);
  });

  it('tells changes in lines', () => {
    const lines = new ChangeLines();
    const told = syncLines(view, NOW);
    expect(lines.changed(told, NOW).split('\n').slice(0, 4)).toEqual([
      '2026-03-01T12:00:00Z sync: is under way (request r1)',
      '2026-03-01T12:00:00Z wave 0: 1 of 2 healthy',
      '2026-03-01T12:00:00Z wave 1: waits for wave 0 until 2026-03-01T12:00:20Z',
      '2026-03-01T12:00:00Z wave 2: comes after wave 1',
    ]);
    expect(lines.changed(syncLines(view, new Date(NOW.getTime() + 5000)), NOW)).toBe('');
    const done = new Map(syncLines({ ...view, state: { phase: 'done' } }, NOW));
    done.delete('wave 2');
    expect(lines.changed(done, NOW)).toBe(
      '2026-03-01T12:00:00Z sync: is done (request r1)\n2026-03-01T12:00:00Z wave 2: gone\n',
    );
  });

  it('says at the end how much it was', () => {
    expect(doneText(view, NOW)).toBe('4 objects in 3 waves, after 12s');
  });
});

it('change lines let no control character through', () => {
  expect(new ChangeLines().changed(new Map([['a\u001b[2J', 'b\nc']]), NOW)).toBe(
    '2026-03-01T12:00:00Z a\ufffd[2J: b; c\n',
  );
});
