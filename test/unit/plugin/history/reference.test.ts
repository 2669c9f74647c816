import { describe, expect, it } from 'vitest';
import type { Release, ReleaseStatus } from '../../../../api/release.ts';
import { CliProblem } from '../../../../plugin/cli/problem.ts';
import { parseReference, resolveReference } from '../../../../plugin/history/reference.ts';
import { digest, release } from '../release.ts';

describe('a render is named', () => {
  it.each([
    ['3', { number: 3 }],
    ['sha256:9f2b5c', { digest: 'sha256:9f2b5c' }],
    [digest('a'), { digest: digest('a') }],
  ])('by %s', (text, expected) => {
    expect(parseReference(text, '--to')).toEqual(expected);
  });

  it.each([
    '',
    '0',
    '-1',
    '1.5',
    '9f2b5c',
    'sha256:',
    'sha256:9f2b',
    `${digest('a')}0`,
    'SHA256:9F2B5C',
    'HEAD',
  ])('not by %j', (text) => {
    expect(() => parseReference(text, '--to')).toThrow(CliProblem);
  });
});

describe('the render that is meant', () => {
  const at = '2026-03-01T12:00:00Z';
  const entry = (number: number, letter: string) => ({
    ...{ number, renderRef: digest(letter), revision: 'r', appliedAt: at },
  });
  const status: ReleaseStatus = {
    history: [entry(4, 'b'), entry(3, 'a')],
    pin: { renderRef: digest('c'), history: 1 },
    lastHealthy: { renderRef: digest('d'), revision: 'r', at },
  };
  const shop: Release = release(status);

  it.each([
    ['a number of the history', { number: 3 }, { renderRef: digest('a'), number: 3 }],
    ['the number of the pin that has left it', { number: 1 }, { renderRef: digest('c'), number: 1 }],
    ['a digest nobody knows', { digest: digest('0') }, { renderRef: digest('0'), number: undefined }],
    ['the beginning of one', { digest: 'sha256:dddddd' }, { renderRef: digest('d'), number: undefined }],
    ['of one that is only held', { digest: 'sha256:eeeeee' }, { renderRef: digest('e'), number: undefined }],
  ])('is %s', (_, reference, expected) => {
    expect(resolveReference(reference, shop, [digest('e')])).toEqual(expected);
  });

  it('is told where there is none, or several', () => {
    expect(() => resolveReference({ number: 2 }, shop)).toThrow('has no number 2');
    expect(() => resolveReference({ digest: 'sha256:eeeeee' }, shop)).toThrow('no render of');
    const near = [`sha256:123456${'0'.repeat(58)}`, `sha256:123456${'1'.repeat(58)}`];
    expect(() => resolveReference({ digest: 'sha256:123456' }, shop, near)).toThrow('2 renders of');
  });
});
