import type { Mutation } from '../../api/release.ts';
import type { RenderProblem } from '../render/errors.ts';
import { isRawNumber } from '../render/number.ts';
import { isMap } from '../render/objects.ts';
import { FORBIDDEN_KEY } from '../render/syntax.ts';
import { selectorProblems } from './selector.ts';

type Finding = readonly [at: string, what: string, remedy: string];

/**
 * Says what of a mutation could be made on no object at all, as far as the schema does not tell it.
 * @param where `spec.mutations[2]`
 * @param maxDepth levels of maps and lists that its values may have
 */
export function checkMutation(mutation: Mutation, where: string, maxDepth: number): RenderProblem[] {
  return [...checkSelectors(mutation), ...checkValue(mutation, maxDepth)].map(([at, what, remedy]) => ({
    where: `${where}${at}`,
    what,
    remedy,
  }));
}

function checkSelectors({ target = {} }: Mutation): Finding[] {
  return (['labelSelector', 'annotationSelector'] as const).flatMap((field) =>
    selectorProblems(target[field] ?? {}).map((what): Finding => [
      `.target.${field}`,
      what,
      'correct the selector',
    ]),
  );
}

function* checkValue(value: unknown, levels: number): Generator<Finding> {
  if (levels < 0) {
    yield ['', 'its values are nested too deep', 'make them flatter'];
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* below(`[${index}]`, checkValue(item, levels - 1));
  } else if (isMap(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (key === FORBIDDEN_KEY) yield ['', `the key ${FORBIDDEN_KEY} is not allowed`, 'rename it'];
      yield* below(`.${key}`, checkValue(field, levels - 1));
    }
  } else if (isInexact(value)) {
    yield [
      '',
      'no double holds this number exactly, and Releases are read as such',
      'write it in the source',
    ];
  }
}

function* below(step: string, findings: Generator<Finding>): Generator<Finding> {
  for (const [at, what, remedy] of findings) yield [`${step}${at}`, what, remedy];
}

/** A Release is read by JSON.parse, which rounds without a word: such a number may have been another one. */
function isInexact(value: unknown): boolean {
  return isRawNumber(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}
