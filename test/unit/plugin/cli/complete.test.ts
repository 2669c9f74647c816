import { describe, expect, it } from 'vitest';
import { complete } from '../../../../plugin/cli/complete.ts';
import { NOUNS } from '../../../../plugin/commands/verbs.ts';
import { memoryIo } from './io.ts';

async function words(...args: string[]): Promise<string[]> {
  const { io, written } = memoryIo();
  expect(await complete(args, io)).toBe(0);
  return written.stdout.trimEnd().split('\n');
}

describe('completion without a cluster', () => {
  it.each<[string[], string[]]>([
    [['re'], ['release', ':4']],
    [
      ['release', 'st'],
      ['status', ':4'],
    ],
    [
      ['rel', 'un'],
      ['unpin', ':4'],
    ],
    [
      ['release', 'get', '-o', 'j'],
      ['json', ':4'],
    ],
    [
      ['-n', 'apps', 'release', 'sus'],
      ['suspend', ':4'],
    ],
    [
      ['release', 'status', '--wa'],
      ['--watch', ':4'],
    ],
    [['release', 'status', '--for'], [':4']],
    [['lint', '-f', ''], [':0']],
    [['lint', ''], [':4']],
    [['nothing', ''], [':4']],
    [['release', 'status', 'web', ''], [':4']],
    [['release', 'status', '--color', 'red', 'w'], [':4']],
  ])('of %j is %j', async (args, expected) => {
    expect(await words(...args)).toEqual(expected);
  });

  it('begins with every noun and every lone verb', async () => {
    expect(await words('')).toEqual([...Object.keys(NOUNS), 'lint', 'version', ':4']);
  });
});
