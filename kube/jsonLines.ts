import { ProtocolError } from './errors.ts';

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines and parses each as JSON. It splits before decoding, so that a character cut in two by a chunk's
 * end stays whole. Throws ProtocolError for a line above `maxBytes`, for one that is no JSON, and for a last one that is cut off.
 */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<unknown, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (part: Uint8Array): void => {
    size += part.length;
    if (size > maxBytes) throw new ProtocolError(`a line of the stream is longer than ${maxBytes} bytes`);
    if (part.length > 0) parts.push(part);
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      start = end + 1;
      if (size > 0) yield parseJson(parts);
      [parts, size] = [[], 0];
    }
    take(chunk.subarray(start));
  }
  // A server that ends a watch ends its last line too, so the rest is an event that was cut off, if it is not whole.
  if (size > 0) yield parseJson(parts);
}

/** One JSON text from its bytes. Throws ProtocolError. */
export function parseJson(parts: Uint8Array[]): unknown {
  const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ProtocolError(
      `the answer is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
