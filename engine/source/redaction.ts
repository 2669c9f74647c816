/** Shorter ones would take words out of messages, and are no secrets. */
const SHORTEST = 4;
const SHOWN_AS = '(a value from a Secret)';

/** Keeps values of Secrets out of what a Release tells: an API server's refusal, for one, quotes what it refuses. */
export class Redaction {
  #texts: string[] = [];

  /** These are not to be told from now on. */
  hide(values: Iterable<string>): void {
    const texts = [...values].flatMap((value) => [
      value,
      value.trim(),
      ...value.split('\n'),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString('base64'),
    ]);
    const long = new Set([...this.#texts, ...texts.filter((text) => text.length >= SHORTEST)]);
    // The longest first: one may stand in another.
    this.#texts = [...long].sort((a, b) => b.length - a.length);
  }

  apply(message: string): string {
    return this.#texts.reduce((told, text) => told.replaceAll(text, SHOWN_AS), message);
  }
}
