import { describe, expect, it } from 'vitest';
import { customResourceDefinition } from '../../../api/crd.ts';
import type { Rule } from '../../../api/keywords.ts';
import { KINDS } from '../../../api/kinds.ts';
import { REFUSED } from './cases.ts';

type Schema = Record<string, unknown>;
interface Node {
  path: string;
  schema: Schema;
}

/** Every schema of one kind's CRD with its path. */
function nodes(path: string, schema: Schema): Node[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return [
    { path, schema },
    ...properties.flatMap(([name, field]) => nodes(`${path}.${name}`, field)),
    ...(schema.items === undefined ? [] : nodes(`${path}[]`, schema.items as Schema)),
    ...(schema.additionalProperties === undefined
      ? []
      : nodes(`${path}{}`, schema.additionalProperties as Schema)),
  ];
}

const kinds = Object.values(KINDS);
const all = kinds.flatMap((kind) => {
  const crd = customResourceDefinition(kind) as unknown as {
    spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
  };
  return nodes(kind.kind, crd.spec.versions[0]?.schema.openAPIV3Schema ?? {});
});
const ofType = (type: string) => all.filter(({ schema }) => schema.type === type);
const without = (found: Node[], ...keywords: string[]) =>
  found
    .filter(({ schema }) => keywords.every((keyword) => schema[keyword] === undefined))
    .map(({ path }) => path);
const FREE = 'x-kubernetes-preserve-unknown-fields';
const OF_EVERY_OBJECT = kinds.flatMap(({ kind }) => [`${kind}.apiVersion`, `${kind}.kind`]);

describe('the schemas of the CRDs', () => {
  it('are found by this test', () => {
    expect(all.length).toBeGreaterThan(200);
  });

  it('have no unions', () => {
    for (const union of [
      'anyOf',
      'oneOf',
      'allOf',
      'not',
      'const',
      '$ref',
      'patternProperties',
      'definitions',
    ]) {
      expect(all.filter(({ schema }) => union in schema).map(({ path }) => path)).toEqual([]);
    }
  });

  it('give every field a type, but those that may be anything', () => {
    expect(without(all, 'type', FREE)).toEqual([]);
  });

  it('limit every list, string, map and number', () => {
    expect(without(ofType('array'), 'maxItems')).toEqual([]);
    expect(without(ofType('string'), 'maxLength', 'enum')).toEqual(OF_EVERY_OBJECT);
    const maps = ofType('object').filter(({ schema }) => schema.additionalProperties !== undefined);
    expect(without(maps, 'maxProperties')).toEqual([]);
    expect(without(ofType('integer'), 'maximum')).toEqual([]);
  });

  it('say how every list is merged', () => {
    expect(without(ofType('array'), 'x-kubernetes-list-type')).toEqual([]);
  });

  it('describe every field that is not a bare item', () => {
    const fields = all.filter(({ path }) => !/[\]}]$/.test(path) && !path.endsWith('.metadata'));
    expect(without(fields, 'description')).toEqual([]);
  });

  it('hold none of our own keywords, and of the rules only what the API server knows', () => {
    expect(JSON.stringify(all.map(({ schema }) => schema))).not.toContain('x-convoy-');
    for (const { schema } of all) {
      for (const rule of (schema['x-kubernetes-validations'] ?? []) as object[]) {
        expect(Object.keys(rule)).toEqual(['rule', 'message']);
      }
    }
  });

  it('have a default of the API server for failurePolicy.rollback alone', () => {
    const defaults = all.filter(({ schema }) => 'default' in schema).map(({ path }) => path);
    expect(defaults).toEqual(['Release.spec.failurePolicy.rollback']);
  });
});

describe('the rules', () => {
  const rules = all.flatMap(({ path, schema }) =>
    ((schema['x-kubernetes-validations'] ?? []) as Rule[]).map((rule) => ({ path, ...rule })),
  );

  it('each have a case that breaks them', () => {
    const broken = new Set(REFUSED.map(({ message }) => message));
    const untested = rules.filter(({ rule, message }) => !rule.includes('oldSelf') && !broken.has(message));
    expect(untested).toEqual([]);
  });
});
