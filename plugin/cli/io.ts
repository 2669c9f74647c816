/** Where text goes. */
export interface Sink {
  write(text: string): void;
  isTTY: boolean;
  /** Of the terminal; undefined where it is none. */
  columns: number | undefined;
}

/** All that a command knows of the world but the cluster. */
export interface Io {
  stdout: Sink;
  stderr: Sink;
  stdin: AsyncIterable<Uint8Array>;
  env: NodeJS.ProcessEnv;
  now(): Date;
}

/** The process's own. */
export function processIo(): Io {
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    // Opened only when it is read: a terminal that nobody reads must not keep the process alive.
    stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
    env: process.env,
    now: () => new Date(),
  };
}

/** `kubectl convoy … | head` closes the pipe: nobody is left to be told. */
const READER_IS_GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

function sinkOf(stream: NodeJS.WriteStream): Sink {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!READER_IS_GONE.has(error.code)) throw error;
  });
  const isTTY = (stream as { isTTY?: boolean }).isTTY ?? false;
  return { write: (text) => void stream.write(text), isTTY, columns: isTTY ? stream.columns : undefined };
}

/** Lines as text, each with its end; nothing for no lines. */
export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
