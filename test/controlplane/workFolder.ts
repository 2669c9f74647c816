import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, processesNaming } from './processes.ts';

const PREFIX = 'convoy-controlplane-';

/** A fresh temporary folder that carries this process's id in its name, so that others can tell when it is left over. */
export function createWorkFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/**
 * Ends what control planes of dead processes left running and removes their folders. The watchdog does this already;
 * it is needed only where the watchdog was killed too. A program is known by its folder in its command line.
 */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? parseInt(name.slice(PREFIX.length), 10) : NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    const folder = join(tmpdir(), name);
    for (const pid of processesNaming(folder)) killIfThere(pid);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
