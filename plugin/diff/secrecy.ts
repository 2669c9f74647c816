import { keyOf, keyString, type KubeObject } from '../../api/object.ts';
import { isSecretObject, withoutSecretValues } from '../../engine/source/secretObject.ts';
import type { LiveRender } from '../render/renderRelease.ts';
import { maskPair, type Pair } from './mask.ts';
import { maskSecretObject } from './secretObject.ts';
import { type Taint, taintOf } from './taint.ts';

/** Shorter values stand in every text: they are told from others as a whole only. */
const SHORTEST_PART = 4;

/** What a command may not tell, and keeps it out of all that it does tell (docs/operations.md, "What would a sync change?"). */
export class Secrecy {
  readonly #values: readonly string[];
  /** As they are, and as a Secret or a token has them. */
  readonly #texts: readonly string[];
  readonly #blind: ReadonlyMap<string, KubeObject> | undefined;
  readonly #source: ReadonlyMap<string, KubeObject> | undefined;

  /**
   * @param values of Secrets that the source refers to
   * @param blind by keyString, the objects of the same render with other letters in place of those; undefined where there is
   * no such render, and then nothing is told of any object
   * @param source by keyString, the objects of that render, where what is told of is another one: nothing is told of an object
   * that it does not have
   */
  constructor(
    values: readonly string[],
    blind: ReadonlyMap<string, KubeObject> | undefined,
    source?: ReadonlyMap<string, KubeObject>,
  ) {
    this.#values = values;
    this.#texts = withEncoded(values);
    this.#blind = blind;
    this.#source = source;
  }

  /** True for an object whose name or namespace comes from a Secret. */
  hasSecretName(id: string): boolean {
    return this.#values.length > 0 && this.#blind?.has(id) !== true;
  }

  /** An object as it is and as it would be, without what may not be told. */
  mask(id: string, pair: Pair, rendered: KubeObject): Pair {
    const source = this.#source === undefined ? rendered : this.#source.get(id);
    const taint = source === undefined ? 'all' : this.#taintOf(id, source);
    const masked = maskPair(pair, { taint, rendered: source, isSecret: (text) => this.#isSecret(text) });
    return isSecretObject(rendered) ? maskSecretObject(masked, pair, rendered) : masked;
  }

  /** What is said of an object, without values of Secrets: also not those of the objects, where they are Secrets themselves. */
  say(text: string, objects: readonly (KubeObject | undefined)[] = []): string {
    return withoutSecretValues(
      text,
      objects.filter((object) => object !== undefined),
      this.#texts,
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

/** What may be told of a render. */
export function secrecyOf({ blind, secrets, source }: Omit<LiveRender, 'render'>): Secrecy {
  return new Secrecy(secrets, byKey(blind?.objects), byKey(source));
}

function byKey(objects: readonly KubeObject[] | undefined): Map<string, KubeObject> | undefined {
  return objects && new Map(objects.map((object) => [keyString(keyOf(object)), object]));
}
