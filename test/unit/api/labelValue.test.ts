import fc from 'fast-check';
import { expect, it } from 'vitest';
import { labelValue } from '../../../api/labelValue.ts';

it.each([
  ['shop', 'shop'],
  ['a'.repeat(63), 'a'.repeat(63)],
  // printf 'a%.0s' $(seq 64) | sha256sum
  ['a'.repeat(64), `${'a'.repeat(54)}-ffe054fe`],
])('of %s is %s', (name, value) => {
  expect(labelValue(name)).toBe(value);
});

it('fits into a label, whatever the name, and differs where names do', () => {
  const name = fc.stringMatching(/^[a-z0-9]{1,253}$/);
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(labelValue(one).length).toBeLessThanOrEqual(63);
      expect(labelValue(one) === labelValue(other)).toBe(one === other);
    }),
  );
});
