import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const PARTS = [
  [Map, 'groupBy'],
  [Promise, 'withResolvers'],
  [JSON, 'rawJSON'],
  [JSON, 'isRawJSON'],
  [zlib, 'zstdDecompress'],
] as const;
const native = PARTS.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name) ?? {});
const nativeGroupBy = Map.groupBy.bind(Map);

// As on Node 20, where none of these is.
beforeEach(async () => {
  for (const [owner, name] of PARTS) Reflect.deleteProperty(owner, name);
  vi.resetModules();
  await import('../../../../plugin/bundle/olderNode.ts');
});
afterEach(() => {
  PARTS.forEach(([owner, name], index) => Object.defineProperty(owner, name, native[index] ?? {}));
});

describe('on an older Node', () => {
  it('things are grouped as on a later one', () => {
    const items = ['a', 'bb', 'cc', 'd'];
    const byLength = (item: string) => item.length;
    expect(Map.groupBy(items, byLength)).toEqual(nativeGroupBy(items, byLength));
    expect([...Map.groupBy(items, (_, index) => index % 2).keys()]).toEqual([0, 1]);
  });

  it('a raw number is known for one, and nothing else is', () => {
    const raw = JSON.rawJSON('12345678901234567890');
    expect(raw.rawJSON).toBe('12345678901234567890');
    expect(JSON.isRawJSON(raw)).toBe(true);
    for (const other of [{ rawJSON: '1' }, null, 1, 'x', undefined])
      expect(JSON.isRawJSON(other)).toBe(false);
  });

  it('a promise is settled from outside', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    resolve(1);
    expect(await promise).toBe(1);
    const failing = Promise.withResolvers<number>();
    failing.reject(new Error('no'));
    await expect(failing.promise).rejects.toThrow('no');
  });

  it('what is sent has its numbers exact', async () => {
    const { canonicalJson } = await import('../../../../engine/render/canonical.ts');
    const { exactNumber } = await import('../../../../engine/render/number.ts');
    expect(canonicalJson({ a: [exactNumber('12345678901234567890')] })).toBe('{"a":[12345678901234567890]}');
  });

  it('what zstd has packed is read, up to the limit', async () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => `object ${index % 700}`));
    const packed = zlib.zstdCompressSync(text);
    const read = promisify(zlib.zstdDecompress);
    expect((await read(packed, { maxOutputLength: text.length })).toString()).toBe(text);
    await expect(read(packed, { maxOutputLength: text.length - 1 })).rejects.toThrow('larger than');
    await expect(read(packed.subarray(0, 100), { maxOutputLength: text.length })).rejects.toThrow();
    await expect(read(Buffer.from('no zstd'), { maxOutputLength: 100 })).rejects.toThrow();
  });
});
