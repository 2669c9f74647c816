import { formatDuration } from '../../api/duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Grain {
  below: number;
  unit: readonly [ms: number, letter: string];
  /** Told too where it is not 0. */
  rest?: readonly [ms: number, letter: string];
}

/** kubectl's grains (apimachinery's duration.HumanDuration): coarse where seconds no longer matter. */
const GRAINS: readonly Grain[] = [
  { below: 2 * MINUTE, unit: [SECOND, 's'] },
  { below: 10 * MINUTE, unit: [MINUTE, 'm'], rest: [SECOND, 's'] },
  { below: 3 * HOUR, unit: [MINUTE, 'm'] },
  { below: 8 * HOUR, unit: [HOUR, 'h'], rest: [MINUTE, 'm'] },
  { below: 2 * DAY, unit: [HOUR, 'h'] },
  { below: 8 * DAY, unit: [DAY, 'd'], rest: [HOUR, 'h'] },
  { below: 2 * YEAR, unit: [DAY, 'd'] },
  { below: 8 * YEAR, unit: [YEAR, 'y'], rest: [DAY, 'd'] },
  { below: Infinity, unit: [YEAR, 'y'] },
];

/** Milliseconds as kubectl writes ages: `42s`, `5m10s`, `3h`, `12d`. Negative ones, of clocks that differ, are `0s`. */
export function span(ms: number): string {
  const time = Math.max(0, ms);
  const grain = GRAINS.find(({ below }) => time < below);
  if (grain === undefined) return '<unknown>';
  const [unit, letter] = grain.unit;
  const text = `${Math.floor(time / unit)}${letter}`;
  if (grain.rest === undefined) return text;
  const rest = Math.floor((time % unit) / grain.rest[0]);
  return rest === 0 ? text : `${text}${rest}${grain.rest[1]}`;
}

/** How long ago an RFC 3339 time was; `-` where there is none, `<invalid>` for what is no time, as kubectl has it. */
export function ageOf(time: string | undefined, now: Date): string {
  if (time === undefined || time === '') return '-';
  const ms = now.getTime() - Date.parse(time);
  return Number.isNaN(ms) ? '<invalid>' : span(ms);
}

/** `5m ago`; `-` where there is no time. */
export function ago(time: string | undefined, now: Date): string {
  const age = ageOf(time, now);
  return age === '-' || age === '<invalid>' ? age : `${age} ago`;
}

/** A limit as people write it: `5m`, `1h30m`, `90s` is `1m30s`. */
export function limitText(ms: number): string {
  return formatDuration(ms).replace(/m0s$/, 'm').replace(/h0m$/, 'h');
}
