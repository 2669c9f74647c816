import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, parseJsonStream, toJson } from '../../../../engine/render/json.ts';
import { exactNumber } from '../../../../engine/render/number.ts';

const plainJson = fc
  .jsonValue({ maxDepth: 4 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

test('it reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(plainJson, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('it takes no text that JSON.parse refuses', () => {
  const broken = fc.tuple(
    plainJson,
    fc.nat(),
    fc.nat({ max: 2 }),
    fc.constantFrom('', ',', '"', '}', ']', '\\', '0', '-', '\n', 'e', '\u0001'),
  );
  fc.assert(
    fc.property(broken, ([value, position, removed, added]) => {
      const text = JSON.stringify(value);
      const at = position % (text.length + 1);
      const mangled = text.slice(0, at) + added + text.slice(at + removed);
      if (succeeds(() => parseJson(mangled))) expect(() => JSON.parse(mangled) as unknown).not.toThrow();
    }),
    { numRuns: 1000 },
  );
});

function succeeds(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,40})$/);
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits,
    fc.option(fc.stringMatching(/^[0-9]{1,40}$/)),
    fc.option(fc.integer({ min: -50, max: 50 })),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
  );

/** A decimal as an exact fraction: value × 10^scale. */
function exactly(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/.exec(text) ?? [];
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length + 400);
  return (sign === '-' ? -scaled : scaled).toString();
}

test('a number keeps its value, digit by digit, from text to text', () => {
  fc.assert(
    fc.property(decimal, (text) => {
      expect(exactly(toJson(parseJson(`[${text}]`)).slice(1, -1))).toBe(exactly(text));
    }),
    { numRuns: 1000 },
  );
});

test('every int64 is exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
      expect(toJson(exactNumber(integer.toString()))).toBe(integer.toString());
    }),
  );
});

test('values that follow one another have the offset that they begin at', () => {
  expect(parseJsonStream(' {"a":1} \n[2]', 10)).toEqual([
    { value: { a: 1 }, offset: 1 },
    { value: [2], offset: 10 },
  ]);
});

test.each([
  ['', /no JSON value/],
  ['1 2', /text after the JSON value/],
  ['"a', /without its closing quote/],
  [String.raw`"\x"`, /not a JSON string/],
  ['[1,]', /instead of a JSON value/],
  ['{a: 1}', /instead of a string in double quotes/],
  ['[01]', /instead of ","/],
  ['[[[]]]', /deeper than 2 levels/],
  ['nul', /instead of a JSON value/],
])('%j is refused', (text, message) => {
  expect(() => parseJson(text, 2)).toThrow(message);
});
