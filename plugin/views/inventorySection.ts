import type { InventoryEntry } from '../../api/inventory.ts';
import { describe } from '../../api/object.ts';
import type { Tone } from '../cli/paint.ts';
import { count, field, type Page, paragraph } from './page.ts';
import { type Column, table } from './table.ts';
import { ageOf } from './time.ts';

export interface InventorySectionOptions extends Page {
  /** Every object, not only those that need a look. */
  wide: boolean;
}

/** Worst first. */
const STATES = ['Degraded', 'Progressing', 'Unknown', 'Healthy'] as const;
type State = (typeof STATES)[number];
const TONES: Readonly<Record<State, Tone>> = {
  Degraded: 'bad',
  Progressing: 'warn',
  Unknown: 'warn',
  Healthy: 'good',
};

const SHOWN = 10;
const KINDS_SHOWN = 4;

/** How many objects the Release holds, of which kinds, and those that are not healthy or not applied yet. */
export function inventorySection(
  inventory: readonly InventoryEntry[] | { unreadable: string },
  page: InventorySectionOptions,
): string[] {
  if ('unreadable' in inventory)
    return field(page, 'Objects', `not readable: ${inventory.unreadable}`, 'warn');
  if (inventory.length === 0) return field(page, 'Objects', 'none');
  const rows = page.wide ? inventory : inventory.filter(needsALook);
  const shown = [...rows].sort(byUrgency).slice(0, page.wide ? Infinity : SHOWN);
  const more = rows.length - shown.length;
  return [
    ...field(page, 'Objects', `${count(inventory.length, 'object')}: ${kindsText(inventory)}`),
    ...field(page, '', healthText(inventory)),
    ...objectLines(shown, page),
    ...(more > 0 ? [`and ${more} more: -o wide lists every object`] : []),
  ];
}

/** A row for each, its message below it: at 80 columns there is no room next to a name. */
function objectLines(entries: readonly InventoryEntry[], page: Page): string[] {
  if (entries.length === 0) return [];
  const [header = '', ...rows] = table(columns(page.now), entries, { ...page });
  const lines = rows.flatMap((row, index) => {
    const message = entries[index]?.health?.message ?? '';
    return message === '' ? [row] : [row, ...paragraph(page, message, '    ')];
  });
  return [header, ...lines];
}

function columns(now: Date): Column<InventoryEntry>[] {
  return [
    { header: 'STATE', cell: (entry) => ({ text: stateText(entry), tone: toneOf(entry) }) },
    { header: 'WAVE', cell: ({ wave }) => String(wave) },
    { header: 'SINCE', cell: ({ health }) => ageOf(health?.since, now) },
    { header: 'OBJECT', cell: (entry) => describe(entry) },
  ];
}

function isApplied({ uid }: InventoryEntry): boolean {
  return uid !== undefined && uid !== '';
}

function needsALook(entry: InventoryEntry): boolean {
  if (entry.purged === true) return false;
  return !isApplied(entry) || (entry.health !== undefined && entry.health.state !== 'Healthy');
}

function stateText(entry: InventoryEntry): string {
  if (entry.purged === true) return 'Purged';
  if (!isApplied(entry)) return 'Not applied';
  return entry.health?.state ?? 'Applied';
}

function toneOf(entry: InventoryEntry): Tone {
  if (!isApplied(entry) && entry.purged !== true) return 'warn';
  return entry.health === undefined ? 'plain' : TONES[entry.health.state];
}

function byUrgency(a: InventoryEntry, b: InventoryEntry): number {
  return urgency(a) - urgency(b) || a.wave - b.wave;
}

function urgency(entry: InventoryEntry): number {
  if (!needsALook(entry)) return STATES.length;
  return entry.health === undefined ? -1 : STATES.indexOf(entry.health.state);
}

function kindsText(inventory: readonly InventoryEntry[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of inventory) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const ranked = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const named = ranked.slice(0, KINDS_SHOWN).map(([kind, number]) => `${number} ${kind}`);
  const others = ranked.slice(KINDS_SHOWN).reduce((sum, [, number]) => sum + number, 0);
  return [...named, ...(others > 0 ? [`${others} of other kinds`] : [])].join(', ');
}

function healthText(inventory: readonly InventoryEntry[]): string {
  const assessed = inventory.filter(({ health }) => health !== undefined);
  const parts = STATES.toReversed().flatMap((state) => {
    const number = assessed.filter(({ health }) => health?.state === state).length;
    return number === 0 ? [] : [`${number} ${state}`];
  });
  const waiting = inventory.filter((entry) => !isApplied(entry) && entry.purged !== true).length;
  const health = parts.length === 0 ? 'health is not assessed' : parts.join(', ');
  return waiting === 0 ? health : `${health}; ${waiting} not applied yet`;
}
