import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { canonicalJson } from '../../../../engine/render/canonical.ts';
import { renderRefOf } from '../../../../engine/render/digest.ts';
import { parseJson, toJson } from '../../../../engine/render/json.ts';
import { render } from '../../../../engine/render/render.ts';
import { OPTIONS } from './support.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const data = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 5,
  noNullPrototype: true,
});
const objects = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      data.map((fields): KubeObject => ({
        ...fields,
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
      })),
    ),
  ),
);

/** The same value with its keys the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, reversed(field)]),
  );
}

test('the digest does not depend on the order of keys or objects', () => {
  fc.assert(
    fc.property(objects, (list) => {
      expect(renderRefOf(list.toReversed().map((object) => reversed(object) as KubeObject))).toBe(
        renderRefOf(list),
      );
    }),
  );
});

test('nor on how the objects are spread over files', () => {
  const documents = NAMES.map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`);
  const oneFile = [{ path: 'x.yaml', content: documents.join('---\n') }];
  const manyFiles = documents.map((content, i) => ({ path: `${9 - i}.yaml`, content }));
  const ref = (files: typeof oneFile) => renderRefOf(render(files, {}, OPTIONS).objects);
  expect(ref(manyFiles)).toBe(ref(oneFile));
});

test('it changes when any value changes', () => {
  fc.assert(
    fc.property(objects, fc.nat(), data, (list, index, fields) => {
      const changed = list.map((object, i) =>
        i === index % list.length ? { ...object, ...fields } : object,
      );
      const same = canonicalJson(changed) === canonicalJson(list);
      expect(renderRefOf(changed) === renderRefOf(list)).toBe(same);
    }),
  );
});

test('it changes with a digit that no double has', () => {
  const refOf = (number: string) =>
    renderRefOf([
      parseJson(`{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"n":${number}}`) as KubeObject,
    ]);
  expect(refOf('9007199254740993')).not.toBe(refOf('9007199254740992'));
});

test('canonical JSON is JSON of the same value, with keys by code unit', () => {
  expect(
    canonicalJson(parseJson('{"b": [1, {"z": null, "a": 2}], "B": "x", "é": 12345678901234567890}')),
  ).toBe('{"B":"x","b":[1,{"a":2,"z":null}],"é":12345678901234567890}');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(toJson(value)));
    }),
  );
});

test('the form of a digest is fixed', () => {
  expect(renderRefOf([])).toBe('sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945');
  expect(renderRefOf([{ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } }])).toMatch(
    /^sha256:[0-9a-f]{64}$/,
  );
});
