import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { BenchResult } from '../bench/measure.ts';

/** The short form of a bench, and the result that its last line is. */
async function short(file: string, env: Record<string, string>): Promise<BenchResult> {
  const path = new URL(`../bench/${file}`, import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [path], { env: { ...process.env, ...env } });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as BenchResult;
}

test('the apply bench measures, and its last line says what', async () => {
  const result = await short('apply.ts', { BENCH_OBJECTS: '40', BENCH_ROUNDS: '1' });
  expect(result).toMatchObject({
    name: 'apply',
    unit: 'x floor',
    bar: 2.6,
    details: { objects: 40, rounds: 1 },
  });
  expect(result.value).toBeGreaterThan(0);
}, 300_000);

test('the waves bench measures waves and the time between them', async () => {
  const result = await short('waves.ts', { BENCH_ROUNDS: '1' });
  expect(result).toMatchObject({
    name: 'waves',
    unit: 'x one wave',
    bar: 1.6,
    details: { waves: 20, objectsPerWave: 5, rounds: 1, readyToNextWaveMs: { waves: 7, bar: 40 } },
  });
  expect(result.value).toBeGreaterThan(0);
}, 300_000);

test('the steady bench measures requests, memory and a restart', async () => {
  const result = await short('steady.ts', { BENCH_RELEASES: '20', BENCH_SECONDS: '3' });
  expect(result).toMatchObject({
    name: 'steady',
    unit: 'requests',
    value: 0,
    bar: 0,
    details: { releases: 20, objects: 10, few: { releases: 2 }, restart: { rewritten: 0 } },
  });
}, 300_000);

test('the drift bench measures edits, deletions, and that others may edit what is theirs', async () => {
  const result = await short('drift.ts', { BENCH_RELEASES: '4', BENCH_EDITS: '20' });
  expect(result).toMatchObject({
    name: 'drift',
    unit: 'ms',
    bar: 50,
    details: { objects: 200, edits: 20, sameObject: { edits: 10 }, foreignRequests: 0 },
  });
  expect(result.value).toBeGreaterThan(0);
}, 300_000);

test('the cli bench measures whole processes', async () => {
  const result = await short('cli.ts', { BENCH_ROUNDS: '2' });
  expect(result).toMatchObject({
    name: 'cli',
    unit: 'x kubectl',
    bar: 2.5,
    details: { waves: 5, objects: 40, rounds: 2 },
  });
  expect(result.value).toBeGreaterThan(0);
}, 300_000);

test('the large bench applies, prunes and deletes more than one shard of an inventory holds', async () => {
  const result = await short('large.ts', { BENCH_OBJECTS: '600' });
  expect(result).toMatchObject({
    name: 'large',
    unit: 'MiB',
    bar: 300,
    ok: true,
    details: {
      objects: {
        applied: { live: 600, shards: 2, renders: 1 },
        kept: { live: 10, renders: 2 },
        left: { live: 0, shards: 0, renders: 0 },
      },
    },
  });
}, 300_000);
