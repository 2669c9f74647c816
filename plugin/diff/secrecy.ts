import type { KubeObject } from '../../api/object.ts';
import { Redaction } from '../../engine/source/redaction.ts';
import { maskPair, type Pair } from './mask.ts';
import { isSecretObject, maskSecretObject, valuesOf } from './secretObject.ts';
import { type Taint, taintOf } from './taint.ts';

/** Shorter values stand in every text: they are told from others as a whole only. */
const SHORTEST_PART = 4;
/** A value that the API server writes out where it has the wrong type. */
const QUOTED_VALUE = /\bgot &value\.valueUnstructured\{.*?\}(?=; \.|$)/gs;

/** What a command may not tell, and keeps it out of all that it does tell (docs/operations.md, "What would a sync change?"). */
export class Secrecy {
  readonly #values: readonly string[];
  /** As they are, and as a Secret or a token has them. */
  readonly #texts: readonly string[];
  readonly #blind: ReadonlyMap<string, KubeObject> | undefined;

  /**
   * @param values of Secrets that the source refers to
   * @param blind by keyString, the objects of the same render with other letters in place of those; undefined where there is
   * no such render, and then nothing is told of any object
   */
  constructor(values: readonly string[], blind: ReadonlyMap<string, KubeObject> | undefined) {
    this.#values = values;
    this.#texts = withEncoded(values);
    this.#blind = blind;
  }

  /** True for an object whose name or namespace comes from a Secret. */
  hasSecretName(id: string): boolean {
    return this.#values.length > 0 && this.#blind?.has(id) !== true;
  }

  /** An object as it is and as it would be, without what may not be told. */
  mask(id: string, pair: Pair, rendered: KubeObject): Pair {
    const taint = this.#taintOf(id, rendered);
    const masked = maskPair(pair, { taint, rendered, isSecret: (text) => this.#isSecret(text) });
    return isSecretObject(rendered) ? maskSecretObject(masked, pair, rendered) : masked;
  }

  /** What is said of an object, without values of Secrets: also not those of the objects, where they are Secrets themselves. */
  say(text: string, objects: readonly (KubeObject | undefined)[] = []): string {
    const secrets = objects.filter((object) => object !== undefined).filter(isSecretObject);
    const redaction = new Redaction();
    redaction.hide([...this.#texts, ...secrets.flatMap(valuesOf)]);
    return redaction.apply(
      secrets.length === 0 ? text : text.replaceAll(QUOTED_VALUE, 'got a value of another type'),
    );
  }

  #taintOf(id: string, rendered: KubeObject): Taint | undefined {
    if (this.#values.length === 0) return undefined;
    const blind = this.#blind?.get(id);
    return blind === undefined ? 'all' : taintOf(rendered, blind);
  }

  #isSecret(text: string): boolean {
    return this.#texts.some((value) =>
      value.length < SHORTEST_PART ? text === value : text.includes(value),
    );
  }
}

function withEncoded(values: readonly string[]): string[] {
  return values
    .flatMap((value) => [value, Buffer.from(value).toString('base64')])
    .filter((value) => value !== '');
}
