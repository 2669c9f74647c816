import zlib from 'node:zlib';

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

type Done = (error: Error | null, bytes?: Uint8Array) => void;

interface LaterZlib {
  zstdDecompress?: (packed: Uint8Array, options: { maxOutputLength: number }, done: Done) => void;
}

(zlib as LaterZlib).zstdDecompress ??= (packed, { maxOutputLength }, done) => {
  unpacked(packed, maxOutputLength).then((bytes) => done(null, bytes), done);
};

async function unpacked(packed: Uint8Array, limit: number): Promise<Uint8Array> {
  const { Decompress } = await import('fzstd');
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((part) => {
    length += part.length;
    if (length > limit) throw new RangeError(`it is larger than ${limit} bytes`);
    parts.push(part);
  });
  stream.push(packed, true);
  return Buffer.concat(parts);
}
