import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTooDeep } from '../../../../webhook/review/json.ts';

const told = (text: string) => isTooDeep(Buffer.from(text));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

it.each([
  ['nothing', '', false],
  ['256 levels', nested(256), false],
  ['257 levels', nested(257), true],
  ['257 maps', `${'{"a":'.repeat(257)}1${'}'.repeat(257)}`, true],
  ['many brackets side by side', `[${'[],'.repeat(1000)}1]`, false],
  ['brackets in a text', JSON.stringify('['.repeat(1000)), false],
  ['brackets after an escaped quote', JSON.stringify(`"${'['.repeat(1000)}`), false],
  ['brackets after a text that ends in a backslash', `["\\\\",${nested(300)}]`, true],
])('%s: %#', (_, text, tooDeep) => {
  expect(told(text)).toBe(tooDeep);
});

it('counts as JSON.parse does', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 250, max: 260 }), (value, around) => {
      const text = '['.repeat(around) + JSON.stringify(value) + ']'.repeat(around);
      expect(told(text)).toBe(depthOf(value) + around > 256);
    }),
  );
});
