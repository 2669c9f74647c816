import { describe, expect, it } from 'vitest';
import type { Colour } from '../../../../plugin/cli/flags.ts';
import { paintFor } from '../../../../plugin/cli/paint.ts';
import { memoryIo } from './io.ts';

describe('colours', () => {
  it.each<[Colour, number | undefined, NodeJS.ProcessEnv, boolean]>([
    ['auto', 80, {}, true],
    ['auto', undefined, {}, false],
    ['auto', 80, { NO_COLOR: '1' }, false],
    ['auto', 80, { NO_COLOR: '' }, true],
    ['auto', 80, { TERM: 'dumb' }, false],
    ['always', undefined, { NO_COLOR: '1' }, true],
    ['never', 80, {}, false],
  ])('--color %s on a terminal of %s columns with %j: %s', (colour, terminal, env, isColoured) => {
    const { io } = memoryIo({ env, ...(terminal === undefined ? {} : { terminal }) });
    expect(paintFor(io, colour)('x', 'bad') !== 'x').toBe(isColoured);
  });
});
