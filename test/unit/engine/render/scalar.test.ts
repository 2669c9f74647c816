import { expect, test } from 'vitest';
import { resolvePlain } from '../../../../engine/render/scalar.ts';
import { toJson } from '../../../../engine/render/json.ts';

/** Unquoted YAML, and the JSON that Kubernetes makes of it (test/integration/engine/yaml.test.ts asks kubectl). */
const CASES: readonly (readonly [yaml: string, json: string])[] = [
  ['yes', 'true'],
  ['On', 'true'],
  ['y', 'true'],
  ['N', 'false'],
  ['off', 'false'],
  ['yES', '"yES"'],
  ['~', 'null'],
  ['Null', 'null'],
  ['nULL', '"nULL"'],
  ['0644', '420'],
  ['0o17', '15'],
  ['0x1F', '31'],
  ['-0x1F', '-31'],
  ['0b101', '5'],
  ['-0b101', '-5'],
  ['08', '8'],
  ['0xZ', '"0xZ"'],
  ['1_000', '1000'],
  ['_1', '"_1"'],
  ['+12', '12'],
  ['-0', '0'],
  ['1e3', '1000'],
  ['1.', '1'],
  ['.5', '0.5'],
  ['.5_0', '0.5'],
  ['.5e1_0', '5000000000'],
  ['._5', '"._5"'],
  ['.5_', '".5_"'],
  ['.5__0', '".5__0"'],
  ['.5_e1', '".5_e1"'],
  ['-.5', '-0.5'],
  ['1.50', '1.5'],
  ['1e999', '"1e999"'],
  ['1:30', '"1:30"'],
  ['2001-01-01', '"2001-01-01"'],
  ['2001-12-14T21:59:43Z', '"2001-12-14T21:59:43Z"'],
  ['1.2.3', '"1.2.3"'],
  ['-', '"-"'],
  ['+', '"+"'],
  ['.', '"."'],
  ['1Gi', '"1Gi"'],
  ['9007199254740993', '9007199254740993'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['18446744073709551615', '18446744073709551615'],
  ['0x7fffffffffffffff', '9223372036854775807'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['3.14159265358979323846', '3.14159265358979323846'],
  ['+0012345678901234567.890', '12345678901234567.890'],
  ['1e-400', '1e-400'],
];

test.each(CASES)('an unquoted %s is %s', (yaml, json) => {
  expect(toJson(resolvePlain(yaml))).toBe(json);
});

test('infinity and not-a-number are told apart from text, so that they can be refused', () => {
  expect([resolvePlain('.inf'), resolvePlain('-.Inf'), resolvePlain('.nan')]).toEqual([
    Infinity,
    -Infinity,
    NaN,
  ]);
});
