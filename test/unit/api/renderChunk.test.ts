import { describe, expect, test } from 'vitest';
import { chunkName, completeRenders, parseChunkName } from '../../../api/renderChunk.ts';

const UID = 'd3b07384-d9a0-4c9b-8f3a-1f6f2a1b9c01';
const [A, B] = ['a', 'b'].map((digit) => `sha256:${digit.repeat(64)}`) as [string, string];
const chunk = (renderRef: string, index: number, total: number) => ({ renderRef, index, total });

describe('the name of a chunk', () => {
  test('says whose it is, of which render, and which of how many', () => {
    const name = chunkName(UID, chunk(A, 2, 12));
    expect(name).toBe(`${UID}-${'a'.repeat(64)}-2-12`);
    expect(parseChunkName(UID, name)).toEqual(chunk(A, 2, 12));
  });

  test.each([
    ['another Release', chunkName('e3b07384-d9a0-4c9b-8f3a-1f6f2a1b9c01', chunk(A, 0, 1))],
    ['an inventory', `${UID}-0`],
    ['a digest that is none', `${UID}-abc-0-1`],
    ['no total', `${UID}-${'a'.repeat(64)}-0`],
    ['more behind it', `${UID}-${'a'.repeat(64)}-0-1-x`],
  ])('of %s is none', (_, name) => {
    expect(parseChunkName(UID, name)).toBeUndefined();
  });
});

describe('renders that are complete', () => {
  test('have every chunk', () => {
    const chunks = [chunk(B, 0, 1), chunk(A, 1, 2), chunk(A, 0, 2)];
    expect(completeRenders(chunks)).toEqual([A, B]);
  });

  test('none lacks one, whatever chunks of another division there are', () => {
    expect(completeRenders([chunk(A, 0, 3), chunk(A, 2, 3), chunk(A, 1, 2)])).toEqual([]);
  });

  test('one in two divisions is one', () => {
    expect(completeRenders([chunk(A, 0, 1), chunk(A, 0, 2), chunk(A, 1, 2)])).toEqual([A]);
  });
});
