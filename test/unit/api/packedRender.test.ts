import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRender, RenderUnreadable, unpackRender } from '../../../api/packedRender.ts';

const refOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

test('what is packed comes back, whatever it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      expect(await unpackRender(packRender(refOf(text), text))).toBe(text);
    }),
  );
});

test('a byte that is changed, lost or added is found', async () => {
  const text = JSON.stringify(Array.from({ length: 50 }, (_, index) => ({ kind: 'ConfigMap', index })));
  const { renderRef, packed } = packRender(refOf(text), text);
  const change = fc.record({ at: fc.nat(packed.length - 1), by: fc.integer({ min: 1, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(change, async ({ at, by }) => {
      const changed = Uint8Array.from(packed, (byte, index) => (index === at ? (byte + by) % 256 : byte));
      for (const other of [changed, packed.subarray(0, at)]) {
        // A frame may have a byte that says nothing of its content.
        const read = await unpackRender({ renderRef, packed: other }).catch((error: unknown) => error);
        if (read !== text) expect(read).toBeInstanceOf(RenderUnreadable);
      }
    }),
  );
});

test('a render under another digest is refused', async () => {
  const { packed } = packRender(refOf('[]'), '[]');
  const renderRef = refOf('[1]');
  await expect(unpackRender({ renderRef, packed })).rejects.toThrow(
    `render ${renderRef}: what the render store holds is corrupt (its digest is ${refOf('[]')})`,
  );
});
