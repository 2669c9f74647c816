import { API_VERSION, GROUP, RESOURCES, VERSION } from './group.ts';
import type { KindDefinition, PrinterColumn } from './kind.ts';
import type { KubeObject } from './object.ts';
import { OWN_KEYWORDS, RULES_KEYWORD, type Rule } from './keywords.ts';

type Json = Record<string, unknown>;

/** The schema of one kind as a whole: spec, status and the fields that every object has. */
export function kindSchema(kind: KindDefinition): Json {
  return {
    type: 'object',
    description: kind.description,
    ...(kind.specOptional === true ? {} : { required: ['spec'] }),
    properties: {
      apiVersion: { type: 'string', description: `Always ${API_VERSION}.` },
      kind: { type: 'string', description: `Always ${kind.kind}.` },
      metadata: { type: 'object' },
      spec: kind.spec,
      ...(kind.status === undefined ? {} : { status: kind.status }),
    },
  };
}

/** The CustomResourceDefinition of one kind, ready to be applied. */
export function customResourceDefinition(kind: KindDefinition): KubeObject {
  const { plural, namespaced } = RESOURCES[kind.kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular: kind.singular,
        shortNames: [kind.shortName],
        categories: ['convoy'],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          ...(kind.status === undefined ? {} : { subresources: { status: {} } }),
          additionalPrinterColumns: kind.columns.map(printerColumn),
          schema: { openAPIV3Schema: structural(kindSchema(kind)) },
        },
      ],
    },
  };
}

function printerColumn({ name, type, jsonPath, description, wide }: PrinterColumn): Json {
  return { name, type, jsonPath, description, ...(wide === true ? { priority: 1 } : {}) };
}

/**
 * What the API server takes: a schema without the keywords of our own and without the TypeScript side of the rules. A default
 * that Convoy applies itself is told in the description, so that `kubectl explain` shows it.
 */
function structural(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(structural);
  if (typeof schema !== 'object' || schema === null) return schema;
  const own: readonly string[] = Object.values(OWN_KEYWORDS);
  const kept = Object.entries(schema).filter(([keyword]) => !own.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, structuralValue(keyword, value, schema)]),
  );
}

function structuralValue(keyword: string, value: unknown, schema: object): unknown {
  if (keyword === RULES_KEYWORD) return (value as Rule[]).map(({ rule, message }) => ({ rule, message }));
  if (keyword === 'description' && OWN_KEYWORDS.default in schema && typeof value === 'string') {
    return `${value} Default: ${String(schema[OWN_KEYWORDS.default])}.`;
  }
  return structural(value);
}
