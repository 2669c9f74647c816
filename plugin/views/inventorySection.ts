import type { InventoryEntry } from '../../api/inventory.ts';
import type { HealthCounts } from '../../api/release.ts';
import { describe } from '../../api/object.ts';
import type { InventoryView } from '../cluster/inventory.ts';
import type { Tone } from '../cli/paint.ts';
import { count, field, type Page, paragraph } from './page.ts';
import { type Column, table } from './table.ts';
import { ageOf } from './time.ts';

export interface InventorySectionOptions extends Page {
  /** Every object, not only those that need a look. */
  wide: boolean;
  /** The render that the Release is at: only health that was assessed for it counts. */
  renderRef: string | undefined;
  /** `status.health`, for those who may not read the objects. */
  counts?: HealthCounts | undefined;
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
export function inventorySection(inventory: InventoryView, page: InventorySectionOptions): string[] {
  if ('unreadable' in inventory)
    return [
      ...field(page, 'Objects', `not readable: ${inventory.unreadable}`, 'warn'),
      ...(page.counts === undefined ? [] : field(page, '', countsText(page.counts))),
    ];
  if (inventory.length === 0) return field(page, 'Objects', 'none');
  const objects = inventory.map((entry) => lookAt(entry, page.renderRef));
  const rows = page.wide ? objects : objects.filter(({ needsALook }) => needsALook);
  const shown = [...rows].sort(byUrgency).slice(0, page.wide ? Infinity : SHOWN);
  const more = rows.length - shown.length;
  return [
    ...field(page, 'Objects', `${count(inventory.length, 'object')}: ${kindsText(inventory)}`),
    ...field(page, '', healthText(objects)),
    ...objectLines(shown, page),
    ...(more > 0 ? [`and ${more} more: -o wide lists every object`] : []),
  ];
}

/** An entry as the page shows it. */
interface Look {
  entry: InventoryEntry;
  /** For the render that the Release is at. */
  health: InventoryEntry['health'];
  isApplied: boolean;
  needsALook: boolean;
}

function lookAt(entry: InventoryEntry, renderRef: string | undefined): Look {
  const { uid = '', purged = false } = entry;
  const health = entry.health?.renderRef === renderRef ? entry.health : undefined;
  const isApplied = uid !== '' || purged;
  const isUnhealthy = health !== undefined && health.state !== 'Healthy';
  return { entry, health, isApplied, needsALook: !purged && (!isApplied || isUnhealthy) };
}

/** A row for each, its message below it: at 80 columns there is no room next to a name. */
function objectLines(objects: readonly Look[], page: Page): string[] {
  if (objects.length === 0) return [];
  const [header = '', ...rows] = table(columns(page.now), objects, { ...page });
  const lines = rows.flatMap((row, index) => {
    const message = objects[index]?.health?.message ?? '';
    return message === '' ? [row] : [row, ...paragraph(page, message, '    ')];
  });
  return [header, ...lines];
}

function columns(now: Date): Column<Look>[] {
  return [
    { header: 'STATE', cell: (object) => ({ text: stateText(object), tone: toneOf(object) }) },
    { header: 'WAVE', cell: ({ entry }) => String(entry.wave) },
    { header: 'SINCE', cell: ({ health }) => ageOf(health?.since, now) },
    { header: 'OBJECT', cell: ({ entry }) => describe(entry) },
  ];
}

function stateText({ entry, health, isApplied }: Look): string {
  if (entry.purged === true) return 'Purged';
  if (!isApplied) return 'Not applied';
  return health?.state ?? 'Applied';
}

function toneOf({ health, isApplied }: Look): Tone {
  if (!isApplied) return 'warn';
  return health === undefined ? 'plain' : TONES[health.state];
}

function byUrgency(a: Look, b: Look): number {
  return urgency(a) - urgency(b) || a.entry.wave - b.entry.wave;
}

/** What comes later mostly waits for what stands above it. */
const NOT_APPLIED = STATES.indexOf('Healthy');

function urgency({ health, needsALook }: Look): number {
  if (!needsALook) return STATES.length;
  return health === undefined ? NOT_APPLIED : STATES.indexOf(health.state);
}

function kindsText(inventory: readonly InventoryEntry[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of inventory) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const ranked = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const named = ranked.slice(0, KINDS_SHOWN).map(([kind, number]) => `${number} ${kind}`);
  const others = ranked.slice(KINDS_SHOWN).reduce((sum, [, number]) => sum + number, 0);
  return [...named, ...(others > 0 ? [`${others} of other kinds`] : [])].join(', ');
}

function healthText(objects: readonly Look[]): string {
  const counted: HealthCounts = { healthy: 0, progressing: 0, degraded: 0, unknown: 0 };
  for (const { health } of objects) if (health !== undefined) counted[COUNTED[health.state]] += 1;
  const waiting = objects.filter(({ isApplied }) => !isApplied).length;
  return waiting === 0 ? countsText(counted) : `${countsText(counted)}; ${waiting} not applied yet`;
}

const COUNTED = {
  Healthy: 'healthy',
  Unknown: 'unknown',
  Progressing: 'progressing',
  Degraded: 'degraded',
} as const satisfies Record<State, keyof HealthCounts>;

/** `4 Healthy, 1 Degraded`. */
function countsText(counts: HealthCounts): string {
  const parts = STATES.toReversed().flatMap((state) => {
    const number = counts[COUNTED[state]];
    return number === 0 ? [] : [`${number} ${state}`];
  });
  return parts.length === 0 ? 'health is not assessed' : parts.join(', ');
}
