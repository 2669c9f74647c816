import type { Flags } from '../cli/flags.ts';
import type { Io } from '../cli/io.ts';
import type { Paint } from '../cli/paint.ts';

/** One call of one verb. */
export interface Invocation {
  io: Io;
  flags: Flags;
  /** The NAME behind the verb, where it takes one. */
  name: string | undefined;
  /** What stands behind the NAME. */
  words: readonly string[];
  paint: Paint;
  /** Columns of the terminal; Infinity where the output is no terminal. */
  width: number;
}

/** Does what the verb says; gives the exit code. Throws what `explain` makes sense of. */
export type Command = (invocation: Invocation) => Promise<number>;
