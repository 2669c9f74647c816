import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BINARY_NAMES, moduleFolder } from '../../controlplane/binaries.ts';
import { ensureBinaries } from '../../controlplane/build.ts';
import { goOutput, goVersion } from '../../controlplane/go.ts';
import { withLock } from '../../controlplane/lock.ts';

let folder = '';
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'convoy-build-'))));
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test("the user's GOFLAGS and target do not reach the build", async () => {
  vi.stubEnv('GOFLAGS', '-mod=vendor -race');
  vi.stubEnv('GOOS', 'plan9');
  vi.stubEnv('CGO_ENABLED', '1');
  const answer = await goOutput(moduleFolder('kubernetes'), ['env', 'GOFLAGS', 'GOOS', 'CGO_ENABLED']);
  expect(answer.split('\n')).toEqual(['-mod=readonly', process.platform, '0']);
});

test('a machine without Go is told what to do', async () => {
  vi.stubEnv('PATH', folder);
  await expect(ensureBinaries(() => undefined)).rejects.toThrow(/Go is not on PATH.*install Go 1\.26/);
});

test('a Go that is too old is named', async () => {
  await writeFile(join(folder, 'go.mod'), 'module future\n\ngo 1.999.0\n');
  vi.stubEnv('GOTOOLCHAIN', 'local');
  await expect(goVersion(folder)).rejects.toThrow(/Go is too old.*requires go >= 1\.999\.0/s);
});

test('programs of KUBEBUILDER_ASSETS are used instead of built ones', async () => {
  for (const name of BINARY_NAMES) await writeFile(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
  const said: string[] = [];
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), KUBEBUILDER_ASSETS: folder };
  const { binDir, stockStages } = await ensureBinaries((line) => said.push(line), env);
  expect(await readlink(join(binDir, 'etcd'))).toBe(join(folder, 'etcd'));
  expect(await readFile(stockStages[0] ?? '', 'utf8')).toContain('name: node-initialize');
  expect(said).toEqual([]);
});

test('a lock lets one in at a time', async () => {
  const path = join(folder, 'lock');
  const order: string[] = [];
  const waiting = Promise.withResolvers<number>();
  const first = withLock(
    path,
    async () => {
      order.push('first in');
      expect(await waiting.promise).toBe(process.pid);
      order.push('first out');
    },
    () => order.push('first waited'),
  );
  await vi.waitFor(() => expect(order).toContain('first in'));
  await withLock(path, () => Promise.resolve(order.push('second in')), waiting.resolve);
  await first;
  expect(order).toEqual(['first in', 'first out', 'second in']);
});

test('a lock of a dead process is taken over', async () => {
  const path = join(folder, 'lock');
  const { pid } = spawnSync('/bin/true');
  await writeFile(path, String(pid));
  expect(
    await withLock(
      path,
      () => Promise.resolve('in'),
      () => undefined,
    ),
  ).toBe('in');
});
