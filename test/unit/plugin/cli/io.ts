import type { Io, Sink } from '../../../../plugin/cli/io.ts';

/** What a command wrote. */
export interface Written {
  stdout: string;
  stderr: string;
}

/** An Io that keeps what is written. */
export function memoryIo(changes: Partial<Omit<Io, 'stdout' | 'stderr'>> & { terminal?: number } = {}) {
  const written: Written = { stdout: '', stderr: '' };
  const { terminal, ...others } = changes;
  const sink = (to: keyof Written): Sink => ({
    write: (text) => (written[to] += text),
    isTTY: terminal !== undefined,
    columns: terminal,
    rows: terminal === undefined ? undefined : 24,
  });
  const io: Io = {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    stdin: bytes(),
    env: {},
    now: () => new Date('2026-03-01T12:00:00Z'),
    onInterrupt: () => () => undefined,
    ...others,
  };
  return { io, written };
}

/** Texts as a stream of bytes. */
export async function* bytes(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}
