import type { Shard } from '../engine/shards/shard.ts';
import { UsageError } from './usage.ts';

/** More controllers than anybody runs; a number that was mistyped is none. */
const MAX_SHARDS = 64;

export const SHARD_FLAGS = {
  'shard-count': { type: 'string' },
  'shard-index': { type: 'string' },
} as const;

export const SHARD_USAGE = `  --shard-count N, --shard-index I
                       this is number I, from 0, of N controllers that share the clusters among them, each with a Lease
                       of its own (default 1 and 0); stop all of them before N changes
`;

type Values = { readonly [flag in keyof typeof SHARD_FLAGS]?: string | undefined };

/** @throws UsageError */
export function shardOf({ 'shard-count': count = '1', 'shard-index': index }: Values): Shard {
  if (!isBelow(Number(count) - 1, MAX_SHARDS))
    throw new UsageError(`--shard-count ${count}: it takes a whole number from 1 to ${MAX_SHARDS}`);
  if (index === undefined && count !== '1')
    throw new UsageError(`--shard-count ${count} needs --shard-index: which of them is this one, from 0?`);
  if (!isBelow(Number(index ?? '0'), Number(count)))
    throw new UsageError(
      `--shard-index ${index ?? ''}: it takes a whole number from 0 to ${Number(count) - 1}, below --shard-count`,
    );
  return { index: Number(index ?? '0'), count: Number(count) };
}

function isBelow(value: number, end: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < end;
}
