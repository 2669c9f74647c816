import { describe, expect, test } from 'vitest';
import {
  type DataObject,
  secretValues,
  type VariablesReference,
  variablesOf,
} from '../../../../engine/source/variables.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const holding = (data: Record<string, string>): DataObject => ({
  apiVersion: 'v1',
  kind: 'x',
  metadata: { name: 'x' },
  data,
});
const from = (kind: VariablesReference['kind'], optional?: boolean): VariablesReference => ({
  kind,
  name: 'vars',
  ...(optional === undefined ? {} : { optional }),
});

describe('variables', () => {
  test('are none where none are named, which is not the same as no values', () => {
    expect(variablesOf({}, 'apps', []).values).toBeUndefined();
    expect(variablesOf({ variablesFrom: [from('ConfigMap', true)] }, 'apps', [undefined]).values).toEqual(
      new Map(),
    );
  });

  test.each<[string, Parameters<typeof variablesOf>[0], DataObject[], Record<string, string>, string[]]>([
    [
      'a Secret is decoded, and its values are secret',
      { variablesFrom: [from('Secret')] },
      [holding({ A: base64('pw') })],
      { A: 'pw' },
      ['pw'],
    ],
    [
      'the last one counts',
      { variablesFrom: [from('Secret'), from('ConfigMap')] },
      [holding({ A: base64('pw') }), holding({ A: 'open' })],
      { A: 'open' },
      [],
    ],
    [
      'what the Release says counts before all',
      { variables: { A: 'own' }, variablesFrom: [from('Secret')] },
      [holding({ A: base64('pw'), B: base64('x') })],
      { A: 'own', B: 'x' },
      ['x'],
    ],
  ])('%s', (_, content, found, values, secrets) => {
    const variables = variablesOf(content, 'apps', found);
    expect(Object.fromEntries(variables.values ?? [])).toEqual(values);
    expect(secretValues(variables)).toEqual(secrets);
  });

  test.each<[string, DataObject | undefined, string]>([
    ['is absent', undefined, 'Secret vars in apps, which spec.content.variablesFrom names, does not exist'],
    ['is no text', holding({ A: '/w==' }), 'key A: it is not UTF-8 text'],
  ])('one that %s is refused by its name', (_, found, message) => {
    expect(() => variablesOf({ variablesFrom: [from('Secret')] }, 'apps', [found])).toThrow(message);
  });
});
