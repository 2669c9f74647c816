/** A field is not what its kind says it is; the message names it. Nothing can be concluded from such an object. */
export class ShapeError extends Error {
  constructor(path: string, expected: string) {
    super(`${path} should be ${expected}`);
    this.name = 'ShapeError';
  }
}

/** More entries than any list has that health is read from. */
const MAX_ENTRIES = 1000;
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** Some controllers write a generation as text. */
const DECIMAL = /^\d{1,15}$/;

/**
 * A map of an object whose status anybody may have written. Absent and null are the same, as for the API server; a field of
 * another type throws ShapeError when it is read.
 */
export class Fields {
  readonly path: string;
  private readonly values: Readonly<Record<string, unknown>>;

  /** @throws ShapeError where the value is there and no map */
  constructor(value: unknown, path: string) {
    if (value !== undefined && value !== null && (typeof value !== 'object' || Array.isArray(value)))
      throw new ShapeError(path, 'a map');
    this.values = (value ?? {}) as Record<string, unknown>;
    this.path = path;
  }

  get empty(): boolean {
    return Object.keys(this.values).length === 0;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** Empty where absent. */
  map(name: string): Fields {
    return new Fields(this.value(name), this.pathOf(name));
  }

  /** '' where absent. */
  text(name: string): string {
    const value = this.value(name) ?? '';
    if (typeof value !== 'string') throw new ShapeError(this.pathOf(name), 'a string');
    return value;
  }

  /** False where absent. */
  flag(name: string): boolean {
    const value = this.value(name) ?? false;
    if (typeof value !== 'boolean') throw new ShapeError(this.pathOf(name), 'true or false');
    return value;
  }

  /** Undefined where absent. */
  integer(name: string): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw new ShapeError(this.pathOf(name), 'a whole number');
    return value;
  }

  /** A whole number from 0. */
  count(name: string, absent = 0): number {
    const value = this.integer(name) ?? absent;
    if (value < 0) throw new ShapeError(this.pathOf(name), 'a whole number from 0');
    return value;
  }

  /** An integer, also one written as text. Some types have -1 by default, for none. Undefined where absent. */
  generation(name: string): number | undefined {
    const value = this.value(name);
    return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : this.integer(name);
  }

  /** Milliseconds of the epoch; undefined where absent. */
  time(name: string): number | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    const time = RFC3339.test(text) ? Date.parse(text) : NaN;
    if (Number.isNaN(time)) throw new ShapeError(this.pathOf(name), 'a time');
    return time;
  }

  /** A list of maps; empty where absent. */
  list(name: string): Fields[] {
    return this.entries(name).map((entry, index) => {
      const path = `${this.pathOf(name)}[${index}]`;
      if (entry === null) throw new ShapeError(path, 'a map');
      return new Fields(entry, path);
    });
  }

  /** A list of strings; empty where absent. */
  texts(name: string): string[] {
    return this.entries(name).map((entry, index) => {
      if (typeof entry !== 'string') throw new ShapeError(`${this.pathOf(name)}[${index}]`, 'a string');
      return entry;
    });
  }

  private entries(name: string): readonly unknown[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value)) throw new ShapeError(this.pathOf(name), 'a list');
    if (value.length > MAX_ENTRIES)
      throw new ShapeError(this.pathOf(name), `a list of at most ${MAX_ENTRIES}`);
    return value;
  }

  private value(name: string): unknown {
    return Object.hasOwn(this.values, name) ? (this.values[name] ?? undefined) : undefined;
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}
