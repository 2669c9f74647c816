import type { ErrorObject } from 'ajv';
import { closest } from './closest.ts';
import { OWN_KEYWORDS } from './keywords.ts';

/** One thing that is wrong with an object. */
export interface Problem {
  /** `spec.source.configMap.name`, `spec.mutations[2].type`; `''` for the object as a whole. */
  path: string;
  /** What was expected and, where it can be told, what was meant. */
  message: string;
}

/** One of ajv's errors (made with `verbose`) in the words of the person who wrote the object. */
export function problemOf(error: ErrorObject): Problem {
  const path = fieldPath(error.instancePath);
  const { params } = error as { params: Record<string, unknown> };
  if (error.keyword === 'additionalProperties') {
    const field = String(params.additionalProperty);
    return { path: joined(path, field), message: unknownField(field, error.parentSchema?.properties) };
  }
  if (error.keyword === 'required') {
    return { path: joined(path, String(params.missingProperty)), message: 'must be set' };
  }
  return { path, message: (MESSAGES[error.keyword] ?? standard)(error, params) };
}

/** Sorted by path and without repetition. */
export function readable(problems: readonly Problem[]): Problem[] {
  const unique = new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem]));
  return [...unique.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

type Words = (error: ErrorObject, params: Record<string, unknown>) => string;

const standard: Words = (error) => error.message ?? 'is not valid';

const MESSAGES: Readonly<Record<string, Words>> = {
  type: (error, params) => `must be ${article(String(params.type))}, is ${article(typeName(error.data))}`,
  enum: (error, params) => {
    const allowed = (params.allowedValues as unknown[]).map(String);
    const meant = typeof error.data === 'string' ? closest(error.data, allowed) : undefined;
    return `is ${quoted(error.data)}: must be one of ${allowed.join(', ')}${question(meant)}`;
  },
  pattern: (error, params) => {
    const words: unknown = error.parentSchema?.[OWN_KEYWORDS.expected];
    const expected = typeof words === 'string' ? words : `of the form ${String(params.pattern)}`;
    return `is ${quoted(error.data)}: must be ${expected}`;
  },
  format: (error) => `is ${quoted(error.data)}: must be a time such as 2026-01-31T12:00:00Z`,
  minimum: (error, params) => `is ${String(error.data)}: must be ${String(params.limit)} or more`,
  maximum: (error, params) => `is ${String(error.data)}: must be ${String(params.limit)} or less`,
  minLength: () => 'must not be empty',
  minProperties: () => 'must not be empty',
  maxLength: (_, params) => `must have at most ${String(params.limit)} characters`,
  maxItems: (_, params) => `must have at most ${String(params.limit)} items`,
  maxProperties: (_, params) => `must have at most ${String(params.limit)} entries`,
};

function unknownField(field: string, properties: unknown): string {
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const meant = closest(field, known);
  return meant === undefined
    ? `unknown field; the fields here are ${known.join(', ')}`
    : `unknown field${question(meant)}`;
}

function question(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** JSON Pointer to the path that people write: `/spec/mutations/2/type` → `spec.mutations[2].type`. */
function fieldPath(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  return parts.reduce((path, part) => joined(path, part.replaceAll('~1', '/').replaceAll('~0', '~')), '');
}

function joined(path: string, part: string): string {
  if (/^\d+$/.test(part)) return `${path}[${part}]`;
  if (/[.[\]]/.test(part)) return `${path}[${JSON.stringify(part)}]`;
  return path === '' ? part : `${path}.${part}`;
}

const MAX_QUOTED = 60;

function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
