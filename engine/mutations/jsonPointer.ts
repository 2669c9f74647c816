import { isMap } from '../render/objects.ts';

/** What a step of a JSON Pointer can lead into. */
type Container = Record<string, unknown> | unknown[];

/** A field of a map or an item of a list, which may not be there (RFC 6901). */
export interface Place {
  container: Container;
  token: string;
}

const INDEX = /^(?:0|[1-9][0-9]*)$/;
/** After the last item of a list. */
const END = '-';

/** `/metadata/labels/a~1b` → its tokens. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @returns the place that tokens lead to, undefined where there is no map or list on the way */
export function placeAt(root: Container, tokens: readonly string[]): Place | undefined {
  const token = tokens.at(-1);
  if (token === undefined) return undefined;
  const container = tokens
    .slice(0, -1)
    .reduce<unknown>(
      (at, step) => (isContainer(at) ? read({ container: at, token: step }) : undefined),
      root,
    );
  return isContainer(container) ? { container, token } : undefined;
}

/** @returns the value there, undefined where there is none: JSON has no such value */
export function read({ container, token }: Place): unknown {
  if (Array.isArray(container)) return INDEX.test(token) ? container[Number(token)] : undefined;
  return Object.hasOwn(container, token) ? container[token] : undefined;
}

/** Sets a field, or puts an item before that of the same index. @returns false where a list has no such place */
export function insert({ container, token }: Place, value: unknown): boolean {
  if (!Array.isArray(container)) {
    container[token] = value;
    return true;
  }
  const index = token === END ? container.length : INDEX.test(token) ? Number(token) : Infinity;
  if (index > container.length) return false;
  container.splice(index, 0, value);
  return true;
}

/** Takes out what `read` finds there. */
export function remove({ container, token }: Place): void {
  if (Array.isArray(container)) container.splice(Number(token), 1);
  else Reflect.deleteProperty(container, token);
}

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isMap(value);
}
