import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatches } from '../../../../engine/mutations/glob.ts';

test.for([
  ['web', 'web', true],
  ['web', 'web-1', false],
  ['web', 'Web', false],
  ['web*', 'web', true],
  ['web*', 'web-1', true],
  ['*web', 'my-web', true],
  ['w*b', 'web', true],
  ['we?', 'web', true],
  ['we?', 'we', false],
  ['w?b*', 'w.b-1', true],
  ['?', '🚢', true],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['a.c', 'abc', false],
  ['[a-z]+', 'a', false],
  ['[a-z]+', '[a-z]+', true],
  ['**', 'a', true],
] as const)('%s on %s: %s', ([pattern, text, matches]) => {
  expect(globMatches(pattern, text)).toBe(matches);
});

/** Says what a glob is, and takes no care of time. */
function naive(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const rest = pattern.slice(1);
  if (pattern.startsWith('*')) return naive(rest, text) || (text !== '' && naive(pattern, text.slice(1)));
  return text !== '' && (pattern.startsWith('?') || pattern[0] === text[0]) && naive(rest, text.slice(1));
}

test('matches what the definition of a glob matches', () => {
  const letters = (chars: string[]) => fc.string({ unit: fc.constantFrom(...chars), maxLength: 8 });
  fc.assert(
    fc.property(letters(['a', 'b', '*', '?']), letters(['a', 'b']), (pattern, text) => {
      expect(globMatches(pattern, text)).toBe(naive(pattern, text));
    }),
    { numRuns: 2000 },
  );
});

test('a hostile pattern takes no longer than another', () => {
  expect(globMatches(`${'*a'.repeat(126)}b`, 'a'.repeat(253))).toBe(false);
  expect(globMatches(`${'*a?'.repeat(84)}b`, 'a'.repeat(253))).toBe(false);
});
