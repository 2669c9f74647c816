import type { HistoryEntry, Release } from '../../api/release.ts';
import { shortDigest } from './sourceText.ts';
import { type Column, table, type TableOptions } from './table.ts';
import { ago } from './time.ts';

/** What a render is to its Release now. */
type Role = 'applied' | 'pinned' | 'last healthy' | 'failed' | 'rolled back';

/** The table of `release history`, newest first; nothing where there is no entry. */
export function historyTable(
  release: Release,
  { now, wide, ...options }: TableOptions & { now: Date; wide: boolean },
): string[] {
  const entries = release.status?.history ?? [];
  const digest = wide ? (text: string) => text : shortDigest;
  const columns: Column<HistoryEntry>[] = [
    { header: 'NUMBER', cell: ({ number }) => String(number) },
    { header: 'RENDER', cell: ({ renderRef }) => digest(renderRef) },
    { header: 'REVISION', cell: ({ revision }) => digest(revision), shrinkTo: 12, dropAt: 1 },
    { header: 'APPLIED', cell: ({ appliedAt }) => ago(appliedAt, now) },
    { header: 'BY', cell: ({ by }) => by ?? '-', shrinkTo: 8, dropAt: 2 },
    { header: 'NOW', cell: (entry) => rolesOf(entry, release).join(', ') },
  ];
  return entries.length === 0 ? [] : table(columns, entries, options);
}

/** What `release history -o json` prints: the same with exact times and whole digests. */
export function historyData(release: Release): unknown {
  const { name, namespace } = release.metadata;
  const entries = release.status?.history ?? [];
  return { namespace, name, items: entries.map((entry) => ({ ...entry, now: rolesOf(entry, release) })) };
}

/** A render that comes again has several entries: the newest one speaks for it. */
function rolesOf({ number, renderRef }: HistoryEntry, { status = {} }: Release): Role[] {
  const { history = [], lastSuccessful, lastHealthy, rollout, pin } = status;
  const newest = history.find((entry) => entry.renderRef === renderRef);
  if (newest?.number !== number) return [];
  const ended = { RolledBack: 'rolled back', Failed: 'failed' } as const;
  const end =
    rollout?.state === 'RolledBack' || rollout?.state === 'Failed' ? ended[rollout.state] : undefined;
  return [
    ...(lastSuccessful?.renderRef === renderRef ? (['applied'] as const) : []),
    ...(pin?.renderRef === renderRef ? (['pinned'] as const) : []),
    ...(lastHealthy?.renderRef === renderRef ? (['last healthy'] as const) : []),
    ...(end !== undefined && rollout?.renderRef === renderRef ? [end] : []),
  ];
}
