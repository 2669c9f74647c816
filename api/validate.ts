import type { ValidateFunction } from 'ajv';
import { closest } from './closest.ts';
import { API_VERSION, type ConvoyKind, RESOURCES } from './group.ts';
import { type Problem, problemOf, readable } from './problem.ts';

export type { Problem } from './problem.ts';

const compiled = new Map<ConvoyKind, Promise<ValidateFunction>>();

/**
 * Checks an object of one of Convoy's kinds against its whole schema: types, limits, unknown fields (which the API server
 * would prune) and every rule over several fields but those about a change.
 * Schemas and ajv are loaded by the first call, so that a program that checks nothing starts without them.
 * @returns every problem, in the order of the document's paths; empty where the object is valid
 */
export async function validate(object: unknown): Promise<Problem[]> {
  const identity = identify(object);
  if ('problem' in identity) return [identity.problem];
  const check = await validator(identity.kind);
  return check(object) ? [] : readable((check.errors ?? []).map(problemOf));
}

function identify(object: unknown): { kind: ConvoyKind } | { problem: Problem } {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { problem: { path: '', message: 'must be an object with apiVersion, kind, metadata and spec' } };
  }
  const { apiVersion, kind } = object as { apiVersion?: unknown; kind?: unknown };
  if (apiVersion !== API_VERSION) {
    return { problem: { path: 'apiVersion', message: `must be ${API_VERSION}` } };
  }
  if (typeof kind === 'string' && Object.hasOwn(RESOURCES, kind)) return { kind: kind as ConvoyKind };
  const kinds = Object.keys(RESOURCES);
  const meant = typeof kind === 'string' ? closest(kind, kinds) : undefined;
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { problem: { path: 'kind', message: `must be one of ${kinds.join(', ')}${hint}` } };
}

function validator(kind: ConvoyKind): Promise<ValidateFunction> {
  const known = compiled.get(kind);
  if (known !== undefined) return known;
  const compiling = import('./ajv.ts').then(({ compile }) => compile(kind));
  compiled.set(kind, compiling);
  return compiling;
}
