import {
  ANNOTATION_DOCS,
  type AnnotationDoc,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  RELEASE_LABEL,
  RELEASE_NAMESPACE_LABEL,
} from './annotations.ts';
import {
  CONDITION_TYPES,
  type ConditionType,
  FAILURE_STAGES,
  REASONS,
  CLUSTER_REASONS,
  RULE_SET_REASONS,
  type ReasonDoc,
} from './conditions.ts';
import { API_VERSION, RESOURCES } from './group.ts';
import type { KindDefinition } from './kind.ts';
import { KINDS } from './kinds.ts';
import { OWN_KEYWORDS, RULES_KEYWORD, type Rule } from './keywords.ts';

interface Schema {
  type?: string;
  description?: string;
  enum?: string[];
  default?: string | number | boolean;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  [RULES_KEYWORD]?: Rule[];
  [OWN_KEYWORDS.default]?: string | number | boolean;
  [OWN_KEYWORDS.expected]?: string;
  [OWN_KEYWORDS.type]?: string;
}

interface Row {
  path: string;
  schema: Schema;
  required: boolean;
}

/** The reference of the whole API as Markdown, made from the schemas alone. */
export function apiReference(): string {
  return [INTRODUCTION, ...Object.values(KINDS).map(kindSection), conditions(), annotations(), labels()].join(
    '\n',
  );
}

const INTRODUCTION = `<!-- Generated from api/ by \`node manifests/generate.ts\`. Do not edit. -->

# API reference: \`${API_VERSION}\`

Durations are Go's (\`30s\`, \`5m\`, \`1h30m\`), times are RFC 3339 in UTC, digests are \`sha256:\` and 64 hex digits. Fields in **bold** must be set
where what holds them is. A default in *italics* is applied by Convoy where it reads the field; any other one is written into the object by the API server.
Unknown fields are refused by \`kubectl\` and by \`kubectl convoy waves plan\`.

${table(
  ['Kind', 'Scope', 'Short name', 'What it is'],
  Object.values(KINDS).map(({ kind, shortName, description }) => [
    `[${kind}](#${kind.toLowerCase()})`,
    RESOURCES[kind].namespaced ? 'namespaced' : 'cluster',
    `\`${shortName}\``,
    description,
  ]),
)}`;

function kindSection(kind: KindDefinition): string {
  const parts = [`## ${kind.kind}\n`, `${kind.description}\n`, part(kind.kind, 'spec', kind.spec)];
  if (kind.status !== undefined) parts.push(part(kind.kind, 'status', kind.status));
  return parts.join('\n');
}

function part(kind: string, name: string, schema: unknown): string {
  const rows = fields(name, schema as Schema);
  const rules = rows.flatMap(({ path, schema: { [RULES_KEYWORD]: own = [] } }) =>
    own.map(({ message }) => `- \`${path}\`: ${message}.`),
  );
  const root = rows[0]?.schema.description ?? '';
  const text = table(
    ['Field', 'Type', 'Default', 'What it is'],
    rows
      .slice(1)
      .map((row) => [
        fieldName(row),
        typeOf(row.schema),
        defaultOf(row.schema),
        row.schema.description ?? '',
      ]),
  );
  const rulesText = rules.length === 0 ? '' : `\nRules, which the API server holds:\n\n${rules.join('\n')}\n`;
  return `### ${kind} ${name}\n\n${root}\n\n${text}${rulesText}`;
}

/** The schema at `path` and all below it, in the order of the schema. */
function fields(path: string, schema: Schema, required = false): Row[] {
  const row = { path, schema, required };
  if (schema[OWN_KEYWORDS.type] !== undefined) return [row];
  if (schema.type === 'array' && schema.items !== undefined) {
    return [row, ...fields(`${path}[]`, schema.items).slice(1)];
  }
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    fields(`${path}.${name}`, field, schema.required?.includes(name)),
  );
  return [row, ...below];
}

function fieldName({ path, required }: Row): string {
  return required ? `**\`${path}\`**` : `\`${path}\``;
}

function typeOf(schema: Schema): string {
  const named = schema[OWN_KEYWORDS.type];
  if (named !== undefined) return named;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'array')
    return `list of ${typeOf(schema.items ?? {})}, at most ${String(schema.maxItems)}`;
  if (schema.type === 'integer') return integerType(schema);
  if (schema.additionalProperties !== undefined) return 'map of strings';
  if (schema.format === 'date-time') return 'time';
  return schema[OWN_KEYWORDS.expected] ?? schema.type ?? 'any value';
}

function integerType({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  if (maximum === Number.MAX_SAFE_INTEGER) return minimum === 0 ? 'integer' : `integer, at least ${minimum}`;
  return `integer, ${minimum}..${maximum}`;
}

function defaultOf(schema: Schema): string {
  if (schema.default !== undefined) return `\`${String(schema.default)}\``;
  const documented = schema[OWN_KEYWORDS.default];
  return documented === undefined ? '' : `*${String(documented)}*`;
}

function conditions(): string {
  const types = Object.keys(CONDITION_TYPES) as ConditionType[];
  const rows = types.flatMap((type) => reasonRows(type, REASONS[type]));
  return `## Conditions of a Release

${types.map((type) => `- \`${type}\`: ${CONDITION_TYPES[type]}.`).join('\n')}

Reasons are stable. \`Ready\` carries a reason of \`Applied\` or of \`Healthy\`, or one of its own; its own ones leave \`Applied\` as it is for the render that
stands applied, so that a source that cannot be fetched does not halt Releases in higher cluster waves.

${table(REASON_HEAD, rows)}
\`status.lastAttempted.failure.stage\` is one of ${FAILURE_STAGES.map((stage) => `\`${stage}\``).join(', ')}.

## Condition of a GlobalHealthRuleSet

${table(REASON_HEAD, reasonRows('Ready', RULE_SET_REASONS))}

## Condition of a Cluster

${table(REASON_HEAD, reasonRows('Ready', CLUSTER_REASONS))}`;
}

const REASON_HEAD = ['Condition', 'Status', 'Reason', 'Meaning'];

function reasonRows(type: ConditionType, reasons: Readonly<Record<string, ReasonDoc>>): string[][] {
  return Object.entries(reasons).map(([reason, { status, meaning }]) => [
    `\`${type}\``,
    status,
    `\`${reason}\``,
    meaning,
  ]);
}

function annotations(): string {
  const sections = (['rendered object', 'Release'] as const).map((on) => {
    const rows = ANNOTATION_DOCS.filter((annotation) => annotation.on === on).map(annotationRow);
    return `On a ${on}:\n\n${table(['Annotation', 'Values', 'Default', 'Meaning'], rows)}`;
  });
  return `## Annotations

A value that is not valid is no error: the default is used, and the Release says so in an event.

${sections.join('\n')}`;
}

function annotationRow({ name, values, default: standard, meaning }: AnnotationDoc): string[] {
  return [`\`${name}\``, values, standard, meaning];
}

function labels(): string {
  return `## Labels

Convoy writes \`${RELEASE_LABEL}\` and \`${RELEASE_NAMESPACE_LABEL}\` on every object that it applies, and \`${MANAGED_BY_LABEL}: ${MANAGED_BY}\` where the
render has no such label. A name too long for a label value is written as its first 54 characters, \`-\`, and 8 hex digits of its SHA-256.
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = line(head.map(() => '---'));
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}
