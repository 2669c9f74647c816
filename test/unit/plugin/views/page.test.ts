import { describe, expect, it } from 'vitest';
import { plain, type Paint } from '../../../../plugin/cli/paint.ts';
import { headline } from '../../../../plugin/views/page.ts';
import { NOW } from '../release.ts';

const marked: Paint = (text, tone) => `<${tone}>${text}</>`;
const page = (width: number, paint: Paint = plain) => ({ now: NOW, width, paint });

describe('a headline', () => {
  it('has its subject stand out, and what is said in its tone, on every line', () => {
    expect(headline(page(30, marked), 'Release a in b', ': not ready, for a long time', 'bad')).toEqual([
      '<strong>Release a in b</><bad>: not ready,</>',
      '  <bad>for a long time</>',
    ]);
  });

  it('is one line where nobody looks, and plain where there is nothing to see', () => {
    expect(headline(page(Infinity, marked), 'Release a in b', ' waits')).toEqual([
      '<strong>Release a in b</> waits',
    ]);
  });

  it('cuts a name that is longer than the line', () => {
    expect(headline(page(30), `Release ${'x'.repeat(60)}`, ': ready')).toEqual([
      'Release',
      `  ${'x'.repeat(27)}`,
      `  ${'x'.repeat(27)}`,
      `  ${'x'.repeat(6)}: ready`,
    ]);
  });

  it('lets no control character through', () => {
    expect(headline(page(80), 'Release a', ': \u001b[2J')).toEqual(['Release a: \ufffd[2J']);
  });
});
