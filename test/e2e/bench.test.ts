import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { BenchResult } from '../bench/measure.ts';

const APPLY = new URL('../bench/apply.ts', import.meta.url).pathname;

test('the apply bench measures, and its last line says what', async () => {
  const env = { ...process.env, BENCH_OBJECTS: '40', BENCH_ROUNDS: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [APPLY], { env });
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as BenchResult;
  expect(result).toMatchObject({
    name: 'apply',
    unit: 'x floor',
    bar: 2.6,
    details: { objects: 40, rounds: 1 },
  });
  expect(result.value).toBeGreaterThan(0);
}, 300_000);
