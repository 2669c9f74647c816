import { describe, expect, it } from 'vitest';
import { plain } from '../../../../plugin/cli/paint.ts';
import { inventorySection } from '../../../../plugin/views/inventorySection.ts';
import { digest, entry, health, NOW } from '../release.ts';

const notApplied = entry({ name: 'late', wave: 2 });
delete notApplied.uid;
const MIXED = [
  entry({ name: 'fine', health: health('Healthy') }),
  entry({
    name: 'slow',
    health: health('Progressing', { message: '1 of 3 replicas' }),
    kind: 'Deployment',
    group: 'apps',
  }),
  entry({ name: 'broken', health: health('Degraded', { message: 'CrashLoopBackOff' }) }),
  notApplied,
  entry({ name: 'gone', purged: true }),
];

describe('the objects of a Release', () => {
  it('lists the worst first, each with its message, and not those that are well', () => {
    expect(
      inventorySection(MIXED, { now: NOW, width: 80, paint: plain, wide: false, renderRef: digest('a') }),
    ).toEqual([
      'Objects     5 objects: 4 ConfigMap, 1 Deployment',
      '            1 Healthy, 1 Progressing, 1 Degraded; 1 not applied yet',
      'STATE         WAVE   SINCE   OBJECT',
      'Degraded      0      90s     ConfigMap broken in apps',
      '    CrashLoopBackOff',
      'Progressing   0      90s     apps/Deployment slow in apps',
      '    1 of 3 replicas',
      'Not applied   2      -       ConfigMap late in apps',
    ]);
  });

  it('lists every one where it may be wide', () => {
    const lines = inventorySection(MIXED, {
      now: NOW,
      width: 80,
      paint: plain,
      wide: true,
      renderRef: digest('a'),
    });
    expect(lines).toContain('Purged        0      -       ConfigMap gone in apps');
    expect(lines).toContain('Healthy       0      90s     ConfigMap fine in apps');
  });

  it('counts those that it does not show', () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      entry({ name: `o${index}`, health: health('Degraded') }),
    );
    const lines = inventorySection(many, {
      now: NOW,
      width: 80,
      paint: plain,
      wide: false,
      renderRef: digest('a'),
    });
    expect(lines).toHaveLength(2 + 1 + 10 + 1);
    expect(lines.at(-1)).toBe('and 15 more: -o wide lists every object');
  });

  it('names the commonest kinds', () => {
    const kinds = ['A', 'B', 'B', 'C', 'D', 'E', 'F'].map((kind) => entry({ kind }));
    const [line] = inventorySection(kinds, {
      now: NOW,
      width: 80,
      paint: plain,
      wide: false,
      renderRef: digest('a'),
    });
    expect(line).toBe('Objects     7 objects: 2 B, 1 A, 1 C, 1 D, 2 of other kinds');
  });

  it('counts no health of another render', () => {
    const lines = inventorySection(MIXED, {
      ...{ now: NOW, width: 80, paint: plain, wide: false },
      renderRef: digest('b'),
    });
    expect(lines[1]).toBe('            health is not assessed; 1 not applied yet');
  });

  it('tells the counts of the status where the objects cannot be read', () => {
    const lines = inventorySection(
      { unreadable: 'forbidden' },
      {
        ...{ now: NOW, width: 80, paint: plain, wide: false, renderRef: digest('a') },
        counts: { healthy: 3, progressing: 0, degraded: 1, unknown: 0 },
      },
    );
    expect(lines).toEqual(['Objects     not readable: forbidden', '            3 Healthy, 1 Degraded']);
  });
});
