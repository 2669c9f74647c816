import { describe } from '../../api/object.ts';
import type { HealthState } from '../../api/healthRules.ts';
import type { Tone } from '../cli/paint.ts';
import type { HealthReport } from '../offline/health.ts';
import { type Column, table, type TableOptions } from './table.ts';

const TONES: Readonly<Record<HealthState, Tone>> = {
  Healthy: 'good',
  Progressing: 'warn',
  Degraded: 'bad',
  Unknown: 'warn',
};

/** The table of `health check`: an object a line. */
export function healthTable(
  reports: readonly HealthReport[],
  { wide, ...options }: TableOptions & { wide: boolean },
): string[] {
  return table([...(wide ? [FILE] : []), ...COLUMNS], reports, options);
}

const FILE: Column<HealthReport> = { header: 'FILE', cell: ({ file }) => file, shrinkTo: 20, dropAt: 1 };

const COLUMNS: readonly Column<HealthReport>[] = [
  { header: 'STATE', cell: ({ state }) => ({ text: state, tone: TONES[state] }) },
  { header: 'OBJECT', cell: (report) => describe(report) },
  { header: 'RULE', cell: ({ rule }) => rule, shrinkTo: 20, dropAt: 2 },
  { header: 'MESSAGE', cell: ({ message }) => message, shrinkTo: 20 },
];
