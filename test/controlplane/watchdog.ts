import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

// Reads "+ pid" and "- pid" lines. The end of the input means that the test process is gone, however it went: a pipe
// closes on SIGKILL too. Signals of the terminal must not end the watchdog before that.
const SCRIPT = `
trap '' INT TERM HUP
dir=$1 pids=
while read -r op pid; do
  kept=
  for p in $pids; do [ "$p" = "$pid" ] || kept="$kept $p"; done
  pids=$kept
  [ "$op" = + ] && pids="$pids $pid"
done
for p in $pids; do kill -KILL "$p" 2>/dev/null; done
tries=0
until rm -rf "$dir" 2>/dev/null || [ $tries -ge 50 ]; do tries=$((tries + 1)); sleep 0.1; done
`;

/**
 * A small shell that outlives this process to end the children it was told of and to remove their folder.
 * It holds no more than a pipe, so that it costs about a megabyte.
 */
export class Watchdog {
  readonly #child: ChildProcess;

  constructor(dir: string) {
    this.#child = spawn('/bin/sh', ['-c', SCRIPT, 'convoy-watchdog', dir], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#child.unref();
    (this.#child.stdin as unknown as { unref(): void }).unref();
  }

  /** Puts a process under the watchdog. */
  guard(pid: number): void {
    this.#child.stdin?.write(`+ ${pid}\n`);
  }

  /** Takes a process that has ended off the list: its id may soon be another's. */
  release(pid: number): void {
    this.#child.stdin?.write(`- ${pid}\n`);
  }

  /** Ends every guarded process, removes the folder, and waits until that is done. */
  async finish(): Promise<void> {
    const { promise: gone, resolve } = Promise.withResolvers<undefined>();
    this.#child.once('close', () => resolve(undefined));
    this.#child.ref();
    this.#child.stdin?.end();
    await gone;
  }
}
