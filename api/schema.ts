import Type, {
  type TArray,
  type TInteger,
  type TObject,
  type TBoolean,
  type TProperties,
  type TSchema,
  type TString,
  type TUnsafe,
} from 'typebox';
import { parseDuration } from './duration.ts';
import { OWN_KEYWORDS, RULES_KEYWORD, type Rule } from './keywords.ts';

/**
 * The words that Convoy's schemas are written in. Each gives one TypeBox schema that is at once the TypeScript type, what
 * ajv checks, and a structural schema for a CRD: never anyOf, oneOf or const, always a limit on size, which is
 * what the API server's cost estimate of the CEL rules is made from.
 */
export const optional = Type.Optional;

export interface FieldOptions {
  /** A default of the CRD: the API server writes it into the object. */
  default?: unknown;
  /** A default that Convoy applies where it reads the field; documentation. */
  documentedDefault?: unknown;
}

interface StringOptions extends FieldOptions {
  pattern?: string;
  /** What the pattern asks for, in words: `a duration such as 30s`. */
  expected?: string;
  /** What the documentation calls the type. */
  typeName?: string;
  minLength?: number;
  format?: string;
  rules?: readonly Rule[];
}

function described(description: string, options: FieldOptions): Record<string, unknown> {
  const { documentedDefault, ...others } = options;
  if (documentedDefault === undefined) return { description, ...others };
  return { description, ...others, [OWN_KEYWORDS.default]: documentedDefault };
}

function validated(rules: readonly Rule[] | undefined): Record<string, unknown> {
  return rules === undefined || rules.length === 0 ? {} : { [RULES_KEYWORD]: rules };
}

export function object<P extends TProperties>(
  description: string,
  properties: P,
  options: { rules?: readonly Rule[]; minProperties?: number; typeName?: string } = {},
): TObject<P> {
  const { rules, typeName, ...others } = options;
  const named = typeName === undefined ? {} : { [OWN_KEYWORDS.type]: typeName };
  return Type.Object(properties, { description, ...others, ...named, ...validated(rules) });
}

export function string(description: string, maxLength: number, options: StringOptions = {}): TString {
  const { rules, expected, typeName, ...others } = options;
  const words = {
    ...(expected === undefined ? {} : { [OWN_KEYWORDS.expected]: expected }),
    ...(typeName === undefined ? {} : { [OWN_KEYWORDS.type]: typeName }),
  };
  return Type.String({ ...described(description, others), maxLength, ...words, ...validated(rules) });
}

export function oneOf<const V extends readonly string[]>(
  description: string,
  values: V,
  options: FieldOptions = {},
): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...described(description, options) });
}

export function integer(
  description: string,
  options: FieldOptions & { minimum?: number; maximum?: number } = {},
): TInteger {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, ...others } = options;
  const format = maximum > 0x7fffffff ? 'int64' : 'int32';
  return Type.Integer({ ...described(description, others), format, minimum, maximum });
}

export function boolean(description: string, options: FieldOptions = {}): TBoolean {
  return Type.Boolean(described(description, options));
}

/** `keys` makes it a map list: unique by those fields, merged by them in server-side apply. Without, it is written whole. */
export function list<T extends TSchema>(
  description: string,
  items: T,
  options: { maxItems: number; minItems?: number; keys?: readonly string[]; set?: boolean },
): TArray<T> {
  const { keys, set, ...limits } = options;
  return Type.Array(items, { description, ...limits, ...listType(keys, set) });
}

function listType(keys: readonly string[] | undefined, set: boolean | undefined): Record<string, unknown> {
  if (keys !== undefined) return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] };
  return { 'x-kubernetes-list-type': set === true ? 'set' : 'atomic' };
}

export function stringMap(
  description: string,
  options: { maxProperties: number; maxLength: number },
): TUnsafe<Record<string, string>> {
  const { maxProperties, maxLength } = options;
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    description,
    maxProperties,
    additionalProperties: { type: 'string', maxLength },
  });
}

/** An object whose fields are not Convoy's: checked where it is used. */
export function freeForm(description: string): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description,
    'x-kubernetes-preserve-unknown-fields': true,
  });
}

/** Any JSON value, null too: an API server drops a null that is not said to be allowed. */
export function anyValue(description: string): TUnsafe {
  return Type.Unsafe<unknown>({ description, nullable: true, 'x-kubernetes-preserve-unknown-fields': true });
}

const DURATION = '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$';
const SECOND_MS = 1000;

/** A Go duration longer than zero. */
export function duration(description: string, options: FieldOptions = {}): TString {
  return bounded(description, options, {
    rule: "duration(self) > duration('0s')",
    message: 'must be longer than 0s, for example 30s or 5m',
    check: lasts((milliseconds) => milliseconds > 0),
  });
}

/** A Go duration of a second or more: shorter would be a loop, not an interval. */
export function interval(description: string, options: FieldOptions = {}): TString {
  return bounded(description, options, {
    rule: "duration(self) >= duration('1s')",
    message: 'must be 1s or longer, for example 10m',
    check: lasts((milliseconds) => milliseconds >= SECOND_MS),
  });
}

/** Text that is no duration at all breaks the pattern, and is told of once. */
function lasts(long: (milliseconds: number) => boolean): (self: string) => boolean {
  return (self) => !new RegExp(DURATION, 'u').test(self) || long(parseDuration(self) ?? NaN);
}

function bounded(description: string, options: FieldOptions, rule: Rule): TString {
  return string(description, 32, {
    ...options,
    pattern: DURATION,
    typeName: 'duration',
    expected: 'a duration such as 30s, 5m or 1h30m',
    rules: [rule],
  });
}

/** RFC 3339 in UTC. */
export function time(description: string): TString {
  return string(description, 64, { format: 'date-time' });
}

export function digest(description: string): TString {
  return string(description, 71, {
    pattern: '^sha256:[0-9a-f]{64}$',
    typeName: 'digest',
    expected: 'sha256: and 64 hex digits',
  });
}

/** The name of an object: a DNS subdomain. */
export function objectName(description: string): TString {
  return string(description, 253, {
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    typeName: 'name of an object',
    expected: 'the name of an object: lower case letters, digits, - and .',
  });
}

/** The name of a Namespace: a DNS label. */
export function namespaceName(description: string): TString {
  return string(description, 63, {
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    typeName: 'name of a Namespace',
    expected: 'the name of a Namespace: lower case letters, digits and -',
  });
}

/** A rule that exactly one of the fields is set. */
export function exactlyOne(fields: readonly string[], message: string): Rule {
  return {
    rule: `[${fields.map((field) => `has(self.${field})`).join(', ')}].filter(set, set).size() == 1`,
    message,
    check: (self: Record<string, unknown>) =>
      fields.filter((field) => self[field] !== undefined).length === 1,
  };
}
