/**
 * What the plugin needs of Node 21 and later, for the Node 20 that people have. Of a raw number it needs no more than to know
 * it for one: what is sent is written by `canonicalJson`.
 */
interface LaterMap {
  groupBy?: <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => Map<K, T[]>;
}

interface LaterPromise {
  withResolvers?: <T>() => PromiseWithResolvers<T>;
}

interface LaterJson {
  rawJSON?: (text: string) => object;
  isRawJSON?: (value: unknown) => boolean;
}

(Map as LaterMap).groupBy ??= <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};

(Promise as LaterPromise).withResolvers ??= <T>() => {
  const parts: Partial<PromiseWithResolvers<T>> = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return { promise, ...parts } as PromiseWithResolvers<T>;
};

const json = JSON as LaterJson;
if (json.rawJSON === undefined) {
  const raw = new WeakSet();
  json.rawJSON = (rawJSON) => {
    const value = Object.freeze({ rawJSON });
    raw.add(value);
    return value;
  };
  json.isRawJSON = (value) => typeof value === 'object' && value !== null && raw.has(value);
}
