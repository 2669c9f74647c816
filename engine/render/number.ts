/** A JSON number whose text is kept, since no double holds its value (`JSON.rawJSON`). */
export interface RawJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    /** Makes a value that JSON.stringify writes as this text. */
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/** A number as it stands in a rendered object: a double where that is exact, else the text. */
export type ExactNumber = number | RawJson;

/** Digits up to this length are exact in a double whatever they are. */
const SAFE_DIGITS = 15;
const DECIMAL = /^([-+]?)0*([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$/;

/**
 * Reads a decimal number (an optional sign, digits, fraction, exponent) without losing any of it.
 * @param text `12`, `-0.5`, `+1.`, `.5`, `1e3`, `007`: more than JSON allows, as YAML does
 * @returns a number that prints the same value, else JSON's spelling of the text kept as it is
 */
export function exactNumber(text: string): ExactNumber {
  const number = Number(text);
  // A zero may be one that is only near it.
  if (text.length <= SAFE_DIGITS && number !== 0 && Number.isInteger(number)) return number;
  const spelled = jsonSpelling(text);
  if (Number.isFinite(number) && sameDecimal(String(number), spelled)) return number === 0 ? 0 : number;
  return JSON.rawJSON(spelled);
}

/** True for a number whose text is kept. */
export function isRawNumber(value: unknown): value is RawJson {
  return JSON.isRawJSON(value);
}

/** JSON knows no plus sign, no leading zero, and digits on both sides of the point. */
function jsonSpelling(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = DECIMAL.exec(text) ?? [];
  const head = `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  return exponent === undefined ? head : `${head}e${exponent}`;
}

function sameDecimal(a: string, b: string): boolean {
  const left = normalForm(a);
  const right = normalForm(b);
  if (left.digits === '' || right.digits === '') return left.digits === right.digits;
  return left.negative === right.negative && left.digits === right.digits && left.exponent === right.exponent;
}

/** digits × 10^exponent, without zeros at either end of the digits. */
function normalForm(text: string): { negative: boolean; digits: string; exponent: number } {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const all = whole + fraction;
  let first = 0;
  while (all[first] === '0') first++;
  let last = all.length;
  while (last > first && all[last - 1] === '0') last--;
  return {
    negative: sign === '-',
    digits: all.slice(first, last),
    exponent: Number(exponent) - fraction.length + (all.length - last),
  };
}
