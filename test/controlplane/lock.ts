import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './processes.ts';

const RETRY_MS = 250;

/**
 * Runs `work` while holding a lock file that names this process. A lock whose process is dead is taken over.
 * Two that take over at the same moment may both run: what is done under the lock must be atomic by itself,
 * the lock only saves doing it twice.
 *
 * @param onWait called once, with the holder's process id, when somebody else holds the lock
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  onWait: (holder: number) => void,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  let told = false;
  while (!(await tryLock(path))) {
    const holder = Number(await readFile(path, 'utf8').catch(absent));
    if (!isAlive(holder)) {
      await rm(path, { force: true });
      continue;
    }
    if (!told) onWait(holder);
    told = true;
    await delay(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Linking a file that is already written makes the lock appear with its holder's name in it. */
async function tryLock(path: string): Promise<boolean> {
  const own = `${path}.${process.pid}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

function absent(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
