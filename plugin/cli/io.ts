/** Where text goes. */
export interface Sink {
  write(text: string): void;
  isTTY: boolean;
  /** Of the terminal, as wide and as high as it is now; undefined where it is none. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

/** A signal that asks the program to end, and the exit code that shells give for it. */
export interface Interrupt {
  signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  exitCode: number;
}

/** All that a command knows of the world but the cluster. */
export interface Io {
  stdout: Sink;
  stderr: Sink;
  stdin: AsyncIterable<Uint8Array>;
  env: NodeJS.ProcessEnv;
  now(): Date;
  /** Calls `run` instead of ending the process at once. Returns the function that takes that back. */
  onInterrupt(run: (interrupt: Interrupt) => void): () => void;
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
    onInterrupt,
  };
}

const INTERRUPTS: readonly Interrupt[] = [
  { signal: 'SIGINT', exitCode: 130 },
  { signal: 'SIGTERM', exitCode: 143 },
  { signal: 'SIGHUP', exitCode: 129 },
];

function onInterrupt(run: (interrupt: Interrupt) => void): () => void {
  const handlers = INTERRUPTS.map((interrupt) => [interrupt.signal, () => run(interrupt)] as const);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** `kubectl convoy … | head` closes the pipe: nobody is left to be told. */
const READER_IS_GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

function sinkOf(stream: NodeJS.WriteStream): Sink {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!READER_IS_GONE.has(error.code)) throw error;
  });
  const isTTY = (stream as { isTTY?: boolean }).isTTY ?? false;
  return {
    write: (text) => void stream.write(text),
    isTTY,
    get columns() {
      return isTTY ? stream.columns : undefined;
    },
    get rows() {
      return isTTY ? stream.rows : undefined;
    },
  };
}

/** Lines as text, each with its end; nothing for no lines. */
export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
