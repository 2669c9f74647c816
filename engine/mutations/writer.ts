import { problem } from '../render/errors.ts';
import type { RenderLimits } from '../render/limits.ts';
import { isMap } from '../render/objects.ts';
import { Refusal } from './refusal.ts';

export type WriteLimits = Pick<RenderLimits, 'depth' | 'mutatedText'>;

/**
 * Makes a copy that shares nothing with the value; exact numbers stay exact.
 * @param see is told each text and the nesting of each value: whoever limits them throws there
 */
export function copyOf<T>(value: T, see: (characters: number, depth: number) => void = () => undefined): T {
  const copy = (part: unknown, depth: number): unknown => {
    see(typeof part === 'string' ? part.length + 1 : 1, depth);
    if (Array.isArray(part)) return part.map((item) => copy(item, depth + 1));
    if (!isMap(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, field]) => {
        see(key.length, depth);
        return [key, copy(field, depth + 1)];
      }),
    );
  };
  return copy(value, 0) as T;
}

/** Copies all that mutations put into objects, and counts it over the whole render. */
export class Writer {
  readonly #limits: WriteLimits;
  #written = 0;

  constructor(limits: WriteLimits) {
    this.#limits = limits;
  }

  /**
   * @returns a copy to put into an object
   * @throws RenderError where the mutations write more than is allowed, Refusal where the value is nested too deep
   */
  write<T>(value: T): T {
    return copyOf(value, (characters, depth) => {
      this.#count(characters);
      if (depth > this.#limits.depth) throw tooDeep(this.#limits.depth);
    });
  }

  /** @throws Refusal for an object that mutations have nested too deep */
  checkDepth(value: unknown, depth = 0): void {
    if (depth > this.#limits.depth) throw tooDeep(this.#limits.depth);
    if (Array.isArray(value)) for (const item of value) this.checkDepth(item, depth + 1);
    else if (isMap(value)) for (const field of Object.values(value)) this.checkDepth(field, depth + 1);
  }

  #count(characters: number): void {
    this.#written += characters;
    if (this.#written <= this.#limits.mutatedText) return;
    throw problem(
      'spec.mutations',
      `they write more than the limit of ${this.#limits.mutatedText} characters`,
      'target fewer objects, write less, or split the source into several Releases',
    );
  }
}

function tooDeep(limit: number): Refusal {
  return new Refusal(`the object would be nested deeper than ${limit} levels`, 'make it flatter');
}
