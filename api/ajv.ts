import { Ajv, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import { kindSchema } from './crd.ts';
import type { ConvoyKind } from './group.ts';
import { KINDS } from './kinds.ts';
import { OWN_KEYWORDS, RULES_KEYWORD, type Rule } from './keywords.ts';

type Json = Record<string, unknown>;

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const KEYS_KEYWORD = 'x-kubernetes-list-map-keys';
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Metadata that a person or the API server writes; the API server has the last word on the values. */
const metadata: Json = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string', maxLength: 253 },
    generateName: { type: 'string', maxLength: 253 },
    namespace: { type: 'string', maxLength: 63 },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    ...Object.fromEntries(
      [
        'uid',
        'resourceVersion',
        'generation',
        'creationTimestamp',
        'deletionTimestamp',
        'deletionGracePeriodSeconds',
        'finalizers',
        'ownerReferences',
        'managedFields',
        'selfLink',
      ].map((field) => [field, {}]),
    ),
  },
};

/** The validator of one kind: its CRD's schema, closed to unknown fields, with the rules in their TypeScript form. */
export function compile(kind: ConvoyKind): ValidateFunction {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true });
  ajv.addFormat('date-time', (text) => RFC3339.test(text) && !Number.isNaN(Date.parse(text)));
  // The limits stand beside the formats, as minimum and maximum.
  for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
  ajv.addVocabulary([...Object.values(OWN_KEYWORDS), PRESERVE, 'x-kubernetes-list-type']);
  ajv.addKeyword({ keyword: RULES_KEYWORD, type: ['object', 'string'], validate: checkRules });
  ajv.addKeyword({ keyword: KEYS_KEYWORD, type: 'array', validate: checkKeys });
  const schema = closed(kindSchema(KINDS[kind])) as { properties: Json };
  return ajv.compile({ ...schema, properties: { ...schema.properties, metadata } });
}

const checkRules: SchemaValidateFunction = (rules: readonly Rule[], data: unknown, schema?: Json) => {
  if (schema?.type !== typeof data) return true;
  const broken = rules.filter(({ check }) => check?.(data as never) === false);
  checkRules.errors = broken.map(({ message }) => ({ keyword: RULES_KEYWORD, message, params: {} }));
  return broken.length === 0;
};

/** The API server refuses two items of a map list that agree in their keys. */
const checkKeys: SchemaValidateFunction = (keys: readonly string[], items: readonly unknown[]) => {
  const seen = new Set<string>();
  const twice = items.map((item) =>
    keys.map((key) => JSON.stringify((item as Json | null)?.[key])).join('/'),
  );
  const duplicates = twice.filter((identity) => seen.size === seen.add(identity).size);
  const message = `has two items with ${keys.join('/')} ${duplicates.join(', ')}`;
  checkKeys.errors = duplicates.length === 0 ? [] : [{ keyword: KEYS_KEYWORD, message, params: {} }];
  return duplicates.length === 0;
};

/** An API server drops (or, when asked, refuses) fields that the schema does not name; ajv has to be told to. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema;
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, items, ...own } = schema as { properties?: Json; items?: unknown } & Json;
  const others = 'type' in own ? own : withoutNullable(own);
  return {
    ...others,
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(properties === undefined
      ? {}
      : {
          additionalProperties: false,
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, closed(field)]),
          ),
        }),
  };
}

/** Where there is no type ajv takes null like any value, and does not take the word. */
function withoutNullable(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'nullable'));
}
