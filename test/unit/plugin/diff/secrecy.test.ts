import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyOf, keyString, type KubeObject } from '../../../../api/object.ts';
import type { Pair } from '../../../../plugin/diff/mask.ts';
import { Secrecy } from '../../../../plugin/diff/secrecy.ts';

const PASSWORD = 'hunter2-hunter2';

function map(data: object, more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' }, data, ...more };
}

function secret(data: object, annotations: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'shop', annotations }, data };
}

interface Case {
  before: KubeObject | undefined;
  after: KubeObject;
  rendered?: KubeObject;
  /** The render with other letters; absent: no Secret has gone in. */
  blind?: KubeObject;
  values?: string[];
}

function masked({ before, after, rendered = after, blind = rendered, values = [PASSWORD] }: Case): Pair {
  const id = keyString(keyOf(rendered));
  return new Secrecy(values, new Map([[id, blind]])).mask(id, { before, after }, rendered);
}

const dataOf = (value: unknown): unknown => (value as KubeObject)['data'];

describe('of an object that takes a value from a Secret', () => {
  const rendered = map({ url: `db://${PASSWORD}@db`, level: 'debug' });
  const blind = map({ url: 'db://xxxxxxxxxxxxxxx@db', level: 'debug' });

  test('the field is hidden in both, also a value that no Secret has any more', () => {
    const { before, after } = masked({
      before: map({ url: 'db://old@db', level: 'info' }),
      after: rendered,
      blind,
    });
    expect(dataOf(before)).toEqual({ url: '(hidden, before)', level: 'info' });
    expect(dataOf(after)).toEqual({ url: '(hidden, after)', level: 'debug' });
  });

  test('what does not differ says so', () => {
    const { before, after } = masked({ before: rendered, after: rendered, blind });
    expect([dataOf(before), dataOf(after)]).toEqual(Array(2).fill({ url: '(hidden)', level: 'debug' }));
  });

  test('what a sync would remove is hidden: it may be an older value', () => {
    const { before } = masked({
      before: map({ ...(dataOf(rendered) as object), old: 'older' }),
      after: rendered,
      blind,
    });
    expect(dataOf(before)).toMatchObject({ old: '(hidden)', level: 'debug' });
  });

  test('what others have set and keep is told', () => {
    const live = map({ ...(dataOf(rendered) as object) }, { theirs: 'kept' });
    expect(
      masked({ before: live, after: { ...rendered, theirs: 'kept' }, rendered, blind }).after,
    ).toMatchObject({
      theirs: 'kept',
    });
  });

  test('a whole object is hidden where the render cannot be told without the value', () => {
    const secrecy = new Secrecy([PASSWORD], undefined);
    const id = keyString(keyOf(rendered));
    expect(secrecy.mask(id, { before: map({}), after: rendered }, rendered)).toEqual({
      before: '(hidden, before)',
      after: '(hidden, after)',
    });
    expect(secrecy.hasSecretName(id)).toBe(true);
  });
});

test.each([
  ['the value', PASSWORD],
  ['a text around it', `--password=${PASSWORD}`],
  ['its base64', Buffer.from(PASSWORD).toString('base64')],
])('%s is hidden in a live object that no longer takes it', (_, text) => {
  const { before, after } = masked({ before: map({ old: text, level: 'a' }), after: map({ level: 'b' }) });
  expect(dataOf(before)).toEqual({ old: '(hidden)', level: 'a' });
  expect(dataOf(after)).toEqual({ level: 'b' });
});

test('what the source itself says in plain is told, though a Secret has it too', () => {
  const { before, after } = masked({
    before: map({ user: 'shop' }),
    after: map({ user: 'shop' }),
    values: ['shop'],
  });
  expect([dataOf(before), dataOf(after)]).toEqual([{ user: 'shop' }, { user: 'shop' }]);
});

describe('of a Secret', () => {
  test('the keys are told, whether a value differs, and never the value', () => {
    const { before, after } = masked({
      before: secret({ a: 'b25l', b: 'eA==', gone: 'eA==' }),
      after: secret({ a: 'dHdv', b: 'eA==' }),
    });
    expect(dataOf(before)).toEqual({ a: '(hidden, before)', b: '(hidden)', gone: '(hidden)' });
    expect(dataOf(after)).toEqual({ a: '(hidden, after)', b: '(hidden)' });
  });

  test('annotations are told where the source has them: others copy the values into theirs', () => {
    const { before } = masked({
      before: secret({}, { own: '1', copied: '{"data":{"a":"b25l"}}' }),
      after: secret({}, { own: '1', copied: '{"data":{"a":"b25l"}}' }),
      rendered: secret({}, { own: '1' }),
    });
    expect((before as KubeObject).metadata.annotations).toEqual({ own: '1', copied: '(hidden)' });
  });

  test.each([
    ['.data.pin: expected string, got &value.valueUnstructured{Value:12}', { pin: 12 }, '12'],
    [
      '.data.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"z":"pw1"}}; .data.b: no',
      { a: { z: 'pw1' } },
      'pw1',
    ],
    ['invalid value "hunter2"', { password: 'aHVudGVyMg==' }, 'hunter2'],
    ['invalid value "aHVudGVyMg=="', { password: 'aHVudGVyMg==' }, 'aHVudGVyMg'],
  ])('a refusal does not quote it: %s', (message, data, value) => {
    expect(new Secrecy([], new Map()).say(message, [secret(data)])).not.toContain(value);
  });
});

test('no value of a Secret is told, wherever the render puts it', () => {
  const place = fc.constantFrom('data', 'spec', 'items', 'nested');
  const put = (at: string, text: string): KubeObject =>
    at === 'items'
      ? map(
          {},
          {
            items: [
              { name: 'a', value: text },
              { name: 'b', value: 'open' },
            ],
          },
        )
      : at === 'nested'
        ? map({}, { spec: { list: [['open', `x ${text}`]] } })
        : map(at === 'data' ? { k: text } : {}, at === 'spec' ? { spec: { k: `(${text})` } } : {});
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), place, place, (now, then, at, before) => {
      const rendered = put(at, now);
      const pair = masked({
        before: put(before, before === at ? then : now),
        after: rendered,
        blind: put(at, now.replaceAll(/./g, 'x')),
        values: [now],
      });
      const told = JSON.stringify(pair);
      expect(told).not.toContain(now);
      expect(told).not.toContain(then);
    }),
  );
});
