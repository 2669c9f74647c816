import type { Gate } from '../../engine/waves/gate.ts';
import type { Tone } from '../cli/paint.ts';
import type { Standing, WaveState } from '../waves/waveStates.ts';
import { type Cell, type Column, table, type TableOptions } from './table.ts';
import { ago, limitText, span } from './time.ts';

export interface WaveTableOptions extends TableOptions {
  now: Date;
  /** With the time of completion. */
  wide?: boolean;
}

/** A row for each wave: how far it is, and what it waits for. */
export function waveTable(waves: readonly WaveState[], options: WaveTableOptions): string[] {
  const { now, wide = false } = options;
  const columns: Column<WaveState>[] = [
    { header: 'WAVE', cell: ({ number }) => String(number) },
    { header: 'OBJECTS', cell: ({ objects }) => String(objects), dropAt: 1 },
    { header: 'APPLIED', cell: appliedCell, dropAt: 2 },
    { header: 'HEALTHY', cell: healthyCell },
    { header: 'STARTED', cell: ({ startedAt }) => ago(startedAt, now), dropAt: 3 },
    ...(wide
      ? [{ header: 'COMPLETED', cell: ({ completedAt }: WaveState) => ago(completedAt, now), dropAt: 1 }]
      : []),
    { header: 'GATE', cell: ({ gate }) => gateText(gate), dropAt: 4 },
    { header: 'STATE', cell: (wave) => ({ text: stateText(wave, now), tone: toneOf(wave.standing) }) },
  ];
  return table(columns, waves, options);
}

/** How a wave stands, such as `waits for wave 1: 2m10s left`; without `now` the same text as long as nothing happens. */
export function stateText({ standing, after }: WaveState, now?: Date): string {
  switch (standing.phase) {
    case 'done':
      return 'done';
    case 'applied':
      return 'applied, not all healthy';
    case 'behind':
      return `comes after wave ${after ?? '?'}`;
    case 'due':
      return standing.reason === undefined ? 'is next' : `stopped: ${standing.reason}`;
    case 'waits':
      return `waits for wave ${after ?? '?'}${timeLeft(standing.verdict.until, now)}`;
    case 'failed':
      return `failed${timeSince(standing.verdict.until, now)}: wave ${after ?? '?'} is not healthy`;
  }
}

/** What a wave asks of the one before it: `healthy, at most 5m`. */
function gateText(gate: Gate | undefined): string {
  if (gate === undefined) return '-';
  return gate.limitMs === undefined ? 'healthy' : `healthy, at most ${limitText(gate.limitMs)}`;
}

function timeLeft(until: number | undefined, now: Date | undefined): string {
  return until === undefined || now === undefined ? '' : `: ${span(until - now.getTime())} left`;
}

function timeSince(until: number | undefined, now: Date | undefined): string {
  return until === undefined || now === undefined ? '' : ` ${span(now.getTime() - until)} ago`;
}

const TONES: Readonly<Record<Standing['phase'], Tone>> = {
  done: 'good',
  applied: 'warn',
  waits: 'warn',
  failed: 'bad',
  due: 'warn',
  behind: 'dim',
};

function toneOf({ phase }: Standing): Tone {
  return TONES[phase];
}

function appliedCell({ applied, objects }: WaveState): Cell {
  return { text: String(applied), tone: applied < objects ? 'warn' : 'plain' };
}

function healthyCell({ healthy, objects, health }: WaveState): Cell {
  if (healthy === undefined)
    return { text: health === false ? 'no' : '-', tone: health === false ? 'warn' : 'plain' };
  return { text: `${healthy}/${objects}`, tone: healthy < objects ? 'warn' : 'good' };
}
