/** Nanoseconds; whole numbers, so that no digit is lost over years. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // U+00B5
  μs: 1_000n, // U+03BC
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
const NS_PER_MS = 1_000_000n;
/** Go holds a duration in an int64 of nanoseconds: about 292 years. */
const LIMIT_NS = 2n ** 63n;
const LIMIT_MS = Number(LIMIT_NS) / Number(NS_PER_MS);
const MAX_LENGTH = 64;

/**
 * Reads a Go duration (`1h30m`, `1.5s`, `100ms`, `0`) as Go's time.ParseDuration does, without a sign: Convoy knows
 * no negative duration.
 * @returns milliseconds (a fraction below one), or undefined where the text is no duration or over Go's limit
 */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (text === '' || text.length > MAX_LENGTH) return undefined;
  let total = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const [, whole = '', fraction = '', unit = ''] = PART.exec(text) ?? [];
    const size = UNITS[unit];
    if (size === undefined || whole + fraction === '') return undefined;
    total += (BigInt(whole + fraction) * size) / 10n ** BigInt(fraction.length);
  }
  if (total >= LIMIT_NS) return undefined;
  return Number(total / NS_PER_MS) + Number(total % NS_PER_MS) / Number(NS_PER_MS);
}

/** As parseDuration, for the many places where zero is no answer. */
export function parsePositiveDuration(text: string): number | undefined {
  const milliseconds = parseDuration(text);
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds : undefined;
}

/**
 * Writes milliseconds as Go's Duration.String does: `5m0s`, `1h30m0s`, `1.5s`, `100ms`, `0s`.
 * @throws RangeError for a negative or not finite number, or one over Go's limit
 */
export function formatDuration(milliseconds: number): string {
  if (!(milliseconds >= 0 && milliseconds < LIMIT_MS)) {
    throw new RangeError(`not a duration in milliseconds: ${milliseconds}`);
  }
  const whole = Math.trunc(milliseconds);
  const rest = Math.round((milliseconds - whole) * Number(NS_PER_MS));
  const nanoseconds = BigInt(whole) * NS_PER_MS + BigInt(rest);
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${nanoseconds.toString()}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 1_000n)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 1_000_000n)}ms`;
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return seconds;
  if (minutes < 60n) return `${minutes.toString()}m${seconds}`;
  return `${(minutes / 60n).toString()}h${(minutes % 60n).toString()}m${seconds}`;
}

/** `value / unit` in decimals, without trailing zeros. */
function decimal(value: bigint, unit: bigint): string {
  const rest = value % unit;
  const whole = (value / unit).toString();
  if (rest === 0n) return whole;
  const digits = rest.toString().padStart(unit.toString().length - 1, '0');
  return `${whole}.${digits.replace(/0+$/, '')}`;
}
