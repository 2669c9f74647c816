import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import { startControlPlane } from '../../controlplane/controlPlane.ts';
import { isAlive, processesNaming } from '../../controlplane/processes.ts';
import { removeLeftovers } from '../../controlplane/workFolder.ts';

/** Starts a process that starts a control plane, and gives the control plane's folder. */
async function startOwner(kwok: 'kwok' | 'no-kwok'): Promise<{ owner: ChildProcess; dir: string }> {
  const owner = spawn(process.execPath, [join(import.meta.dirname, 'startAndWait.ts'), kwok], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const dir of createInterface({ input: owner.stdout })) return { owner, dir };
  throw new Error('the process ended before its control plane was up');
}

async function kill(owner: ChildProcess): Promise<void> {
  owner.kill('SIGKILL');
  await once(owner, 'exit');
}

test('a test process that is killed leaves neither processes nor its folder', async () => {
  const { owner, dir } = await startOwner('kwok');
  const running = processesNaming(dir);
  // etcd, API server, controller manager, scheduler, kwok, and the watchdog.
  expect(running).toHaveLength(6);
  await kill(owner);
  // There is no event for the end of a process that is not one's own child.
  await vi.waitFor(() => expect(running.filter(isAlive)).toEqual([]), { timeout: 20_000 });
  expect(existsSync(dir)).toBe(false);
});

test('where the watchdog was killed too, the next start cleans up', async () => {
  const { owner, dir } = await startOwner('no-kwok');
  const watchdog = processesNaming(`convoy-watchdog\0${dir}`);
  expect(watchdog).toHaveLength(1);
  for (const pid of watchdog) process.kill(pid, 'SIGKILL');
  await kill(owner);
  const left = processesNaming(dir);
  expect(left).toHaveLength(4);
  await removeLeftovers();
  await vi.waitFor(() => expect(left.filter(isAlive)).toEqual([]), { timeout: 20_000 });
  expect(existsSync(dir)).toBe(false);
});

test('a program that ends by itself is told of, and stopping still leaves nothing', async () => {
  const plane = await startControlPlane({ kwok: false });
  const running = processesNaming(plane.dir);
  expect(running).toHaveLength(5);
  const failure = plane.failure;
  const [scheduler] = processesNaming(join(plane.dir, 'scheduler.kubeconfig'));
  expect(scheduler).toBeDefined();
  process.kill(scheduler ?? NaN, 'SIGKILL');
  const words = /kube-scheduler was ended by SIGKILL. The end of its log:/;
  await expect(failure).rejects.toThrow(words);
  await expect(plane.stop()).rejects.toThrow(words);
  expect(running.filter(isAlive)).toEqual([]);
  expect(existsSync(plane.dir)).toBe(false);
});
