/** A number as Kubernetes writes it (`100m`, `1.5Gi`): digits × 10^exponent, the digits without zeros at their end. */
export interface Quantity {
  digits: bigint;
  exponent: number;
}

const FORM = /^([+-]?)(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,9})?$/;
/** Longer ones mean nothing and would cost time. */
const MAX_LENGTH = 64;
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** Nothing finer than this is kept; Kubernetes rounds it up. */
const FINEST = -9;
const LARGEST = 2n ** 63n - 1n;

/** @returns undefined for a text that Kubernetes takes for no quantity */
export function parseQuantity(text: string): Quantity | undefined {
  const [, sign = '', number = '', suffix = ''] = (text.length <= MAX_LENGTH && FORM.exec(text)) || [];
  if (number === '') return undefined;
  const [whole = '', fraction = ''] = number.split('.');
  const power = BINARY.indexOf(suffix) + 1;
  const exponent = power > 0 ? 0 : (DECIMAL[suffix] ?? Number(suffix.slice(1)));
  const digits = BigInt(whole + fraction) * 1024n ** BigInt(power);
  return withinLimits(sign === '-' ? -digits : digits, exponent - fraction.length);
}

/** @param whole a whole number */
export function quantityOf(whole: bigint): Quantity {
  return canonical(whole, 0);
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent);
  return canonical(scaled(a, exponent) + scaled(b, exponent), exponent);
}

export function negated({ digits, exponent }: Quantity): Quantity {
  return { digits: -digits, exponent };
}

/** @returns -1, 0 or 1 */
export function compareQuantities(a: Quantity, b: Quantity): bigint {
  return signOf(addQuantities(a, negated(b)));
}

/** @returns -1, 0 or 1 */
export function signOf({ digits }: Quantity): bigint {
  if (digits === 0n) return 0n;
  return digits < 0n ? -1n : 1n;
}

/** @returns undefined where it has a fraction, or an int of CEL does not hold it */
export function wholeOf(quantity: Quantity): bigint | undefined {
  if (quantity.exponent < 0) return undefined;
  const whole = scaled(quantity, 0);
  return whole <= LARGEST && whole >= -LARGEST - 1n ? whole : undefined;
}

export function approximate({ digits, exponent }: Quantity): number {
  return Number(`${digits}e${exponent}`);
}

/** As Kubernetes: rounded up to the finest, and no larger than the largest. */
function withinLimits(digits: bigint, exponent: number): Quantity {
  const most = digits < 0n ? -LARGEST : LARGEST;
  if (digits === 0n) return { digits, exponent: 0 };
  if (exponent > 18) return { digits: most, exponent: 0 };
  const [fine, at] = exponent >= FINEST ? [digits, exponent] : [roundedUp(digits, FINEST - exponent), FINEST];
  const quantity = canonical(fine, at);
  const isTooLarge =
    compareQuantities({ ...quantity, digits: abs(fine), exponent: at }, quantityOf(LARGEST)) > 0n;
  return isTooLarge ? { digits: most, exponent: 0 } : quantity;
}

/** Away from zero. @param places decimal digits that are given up */
function roundedUp(digits: bigint, places: number): bigint {
  if (places > 2 * MAX_LENGTH) return digits < 0n ? -1n : 1n;
  const unit = 10n ** BigInt(places);
  const up = (abs(digits) + unit - 1n) / unit;
  return digits < 0n ? -up : up;
}

function canonical(digits: bigint, exponent: number): Quantity {
  if (digits === 0n) return { digits, exponent: 0 };
  let [kept, at] = [digits, exponent];
  while (kept % 10n === 0n) {
    kept /= 10n;
    at += 1;
  }
  return { digits: kept, exponent: at };
}

function scaled({ digits, exponent }: Quantity, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
