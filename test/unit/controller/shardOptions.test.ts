import { describe, expect, it } from 'vitest';
import { parseOptions } from '../../../controller/options.ts';

const shardOf = (...args: string[]) => parseOptions(args)?.shard;

describe('the shard', () => {
  it('is the whole where nothing is said', () => {
    expect(shardOf()).toEqual({ index: 0, count: 1 });
    expect(shardOf('--shard-count=1')).toEqual({ index: 0, count: 1 });
  });

  it('is one of several', () => {
    expect(shardOf('--shard-count', '4', '--shard-index', '3')).toEqual({ index: 3, count: 4 });
    expect(shardOf('--shard-count=64', '--shard-index=0')).toEqual({ index: 0, count: 64 });
  });

  it.each([
    [['--shard-count=0', '--shard-index=0'], '--shard-count 0: it takes a whole number from 1 to 64'],
    [['--shard-count=65', '--shard-index=0'], '--shard-count 65'],
    [['--shard-count=1.5', '--shard-index=0'], '--shard-count 1.5'],
    [['--shard-count=two', '--shard-index=0'], '--shard-count two'],
    [['--shard-count=', '--shard-index=0'], '--shard-count : it takes'],
    [['--shard-count=2'], '--shard-count 2 needs --shard-index'],
    [['--shard-count=2', '--shard-index=2'], '--shard-index 2: it takes a whole number from 0 to 1'],
    [['--shard-count=2', '--shard-index=-1'], '--shard-index -1'],
    [['--shard-index=1'], '--shard-index 1: it takes a whole number from 0 to 0'],
  ])('is refused for %j', (args, message) => {
    expect(() => shardOf(...args)).toThrow(message);
  });
});
