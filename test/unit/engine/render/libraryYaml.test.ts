import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseLibraryYaml } from '../../../../engine/render/libraryYaml.ts';

const key = fc.stringMatching(/^[a-zA-Z_./$][-a-zA-Z0-9_./@$]{2,12}$/);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('map')),
  leaf: fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('yes', '0644', ' a\nb\n', '- x', '#'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

test('what is printed as YAML is read back', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const text = stringify({ root: value }, { version: '1.1' });
      const [slow] = parseLibraryYaml(text);
      expect(slow?.value).toEqual({ root: value });
    }),
    { numRuns: 500 },
  );
});
