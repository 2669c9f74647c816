import type { HookStatus } from '../../api/release.ts';
import type { Tone } from '../cli/paint.ts';
import type { Page } from './page.ts';
import { type Column, table } from './table.ts';
import { ago, span } from './time.ts';

const TONES: Readonly<Record<HookStatus['state'], Tone>> = {
  Pending: 'dim',
  Running: 'warn',
  Succeeded: 'good',
  Failed: 'bad',
  Skipped: 'dim',
};

/** A row for each hook of the last sync: how it stands, and why; none where there are no hooks. */
export function hookTable(hooks: readonly HookStatus[], page: Page): string[] {
  if (hooks.length === 0) return [];
  const columns: Column<HookStatus>[] = [
    { header: 'HOOK', cell: ({ name }) => name },
    { header: 'PHASE', cell: ({ phase }) => phase },
    { header: 'STATE', cell: ({ state }) => ({ text: state, tone: TONES[state] }) },
    { header: 'STARTED', cell: ({ startedAt }) => ago(startedAt, page.now), dropAt: 1 },
    { header: 'TOOK', cell: tookText, dropAt: 2 },
    { header: 'JOB', cell: ({ job = '-' }) => job, shrinkTo: 12, dropAt: 4 },
    { header: 'MESSAGE', cell: ({ message = '' }) => message, shrinkTo: 16, dropAt: 3 },
  ];
  return table(columns, hooks, { ...page });
}

function tookText({ startedAt, completedAt }: HookStatus): string {
  if (startedAt === undefined || completedAt === undefined) return '-';
  return span(Date.parse(completedAt) - Date.parse(startedAt));
}
