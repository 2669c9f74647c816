import { expect, it } from 'vitest';
import { Live } from '../../../../plugin/cli/live.ts';
import { memoryIo } from './io.ts';

it('draws in place, and leaves the terminal as it was', () => {
  const { io, written } = memoryIo({ terminal: 80 });
  const live = new Live(io);
  live.draw(['one', 'two']);
  expect(written.stdout).toBe('\x1b[?25l\x1b[?7l\x1b[2Kone\n\x1b[2Ktwo\n\x1b[J');
  live.draw(['three']);
  live.end();
  expect(written.stdout).toMatch(/\x1b\[2A\r\x1b\[2Kthree\n\x1b\[J\x1b\[\?7h\x1b\[\?25h$/);
  live.end();
  expect(written.stdout.match(/\x1b\[\?25h/g)).toHaveLength(1);
});

it('draws no more lines than the terminal is high', () => {
  const { io, written } = memoryIo({ terminal: 80 });
  new Live(io).draw(Array.from({ length: 40 }, (_, index) => `line ${index}`));
  expect(written.stdout.split('\n')).toHaveLength(24);
  expect(written.stdout).toContain('line 21\n\x1b[2K… 18 more lines\n');
});

it.each([
  ['where there is no terminal', memoryIo()],
  ['on a dumb one', memoryIo({ terminal: 80, env: { TERM: 'dumb' } })],
])('draws nothing %s', (_, { io, written }) => {
  const live = new Live(io);
  live.draw(['one']);
  live.end();
  expect({ isLive: live.isLive, written }).toEqual({ isLive: false, written: { stdout: '', stderr: '' } });
});
