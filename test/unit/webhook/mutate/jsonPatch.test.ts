import fc from 'fast-check';
import { expect, it } from 'vitest';
import { annotationPatch } from '../../../../webhook/mutate/jsonPatch.ts';

it.each([
  ['nothing to do', { a: '1' }, { a: '1' }, []],
  ['nothing wanted', undefined, {}, []],
  ['absent already', undefined, { a: undefined }, []],
  [
    'no map yet',
    undefined,
    { a: '1', b: undefined },
    [{ op: 'add', path: '/metadata/annotations', value: { a: '1' } }],
  ],
  ['a new one', {}, { a: '1' }, [{ op: 'add', path: '/metadata/annotations/a', value: '1' }]],
  [
    'another value',
    { a: '1', b: '2' },
    { a: '3' },
    [{ op: 'add', path: '/metadata/annotations/a', value: '3' }],
  ],
  ['one to go', { a: '1' }, { a: undefined }, [{ op: 'remove', path: '/metadata/annotations/a' }]],
  [
    'names with / and ~',
    {},
    { 'x.io/a~1b': '1' },
    [{ op: 'add', path: '/metadata/annotations/x.io~1a~01b', value: '1' }],
  ],
  [
    'a name that objects have',
    {},
    { constructor: '1' },
    [{ op: 'add', path: '/metadata/annotations/constructor', value: '1' }],
  ],
])('%s', (_, present, wanted, patch) => {
  expect(annotationPatch(present, wanted)).toEqual(patch);
});

/** RFC 6902 on the annotations alone, without the code under test. */
function patched(present: Record<string, string> | undefined, patch: ReturnType<typeof annotationPatch>) {
  const annotations = new Map(Object.entries(present ?? {}));
  for (const operation of patch) {
    if (operation.path === '/metadata/annotations' && operation.op !== 'remove') {
      for (const [name, value] of Object.entries(operation.value as Record<string, string>))
        annotations.set(name, value);
      continue;
    }
    const name = operation.path
      .slice('/metadata/annotations/'.length)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    if (operation.op === 'remove') annotations.delete(name);
    else annotations.set(name, String(operation.value));
  }
  return Object.fromEntries(annotations);
}

it('makes annotations as wanted, leaves the others, and does nothing the second time', () => {
  const name = fc.constantFrom('a', 'b', 'x.io/a', 'x~0/b', '~1');
  const value = fc.constantFrom('', '1', '2');
  const present = fc.option(fc.dictionary(name, value), { nil: undefined });
  fc.assert(
    fc.property(present, fc.dictionary(name, fc.option(value, { nil: undefined })), (before, wanted) => {
      const after = patched(before, annotationPatch(before, wanted));
      const expected = Object.entries({ ...before, ...wanted }).filter(([, one]) => one !== undefined);
      expect(after).toEqual(Object.fromEntries(expected));
      expect(annotationPatch(after, wanted)).toEqual([]);
    }),
  );
});
