import type { Slot } from './world.ts';

/** An object as a render has it. */
export interface ModelObject extends Slot {
  wave: number;
  deleteOrder: number;
  /** It says `prune: disabled`. */
  kept: boolean;
  /** It has a purge-order, which is its wave. */
  isPurged?: true;
}

/** What a step is to come to. */
export interface Expected {
  /** Of Ready; undefined: the Release is gone. */
  reason: 'Applied' | 'OrderInvalid' | undefined;
  /** Objects that have to be written, and those that may be. */
  changed: string[];
  render: ModelObject[];
  /** What is deleted at the end of its own wave. */
  purged: ModelObject[];
  /** What is deleted, by group: each is gone before the next one begins. */
  deletions: ModelObject[][];
}

const NOTHING = { changed: [], render: [], purged: [], deletions: [] };

/** In a wave, by kind; deletion goes the other way (waves.md, "In a wave"). */
const STAGES: Readonly<Record<string, number>> = {
  Namespace: 0,
  CustomResourceDefinition: 1,
  ServiceAccount: 2,
  Role: 2,
  RoleBinding: 2,
  ValidatingWebhookConfiguration: 4,
  Boat: 5,
};

function stageOf({ kind }: Slot): number {
  return STAGES[kind] ?? 3;
}

/** What an object cannot exist without. */
export function needs(object: Slot, other: Slot): boolean {
  return (
    (object.kind === 'Boat' && other.kind === 'CustomResourceDefinition') ||
    (other.kind === 'Namespace' && object.namespace === other.object.metadata['name'])
  );
}

/**
 * Whether one object is applied before another one begins: lower waves, what it cannot exist without, and in a wave the
 * lower stage – but an instance waits for nothing else than its type and namespace, and a type for its use alone.
 */
export function isAppliedBefore(first: ModelObject, then: ModelObject): boolean {
  if (first.wave !== then.wave) return first.wave < then.wave;
  const isStaged = then.kind !== 'Boat' && first.kind !== 'CustomResourceDefinition';
  return needs(then, first) || (isStaged && stageOf(first) < stageOf(then));
}

/**
 * What waves.md and apply.md say of the objects and the inventory of one Release, and nothing of how it is done: a
 * second, simple statement of the rules, against which the controller is held.
 */
export class ReleaseModel {
  readonly live = new Map<string, ModelObject>();
  readonly inventory = new Map<string, ModelObject>();
  /** Somebody else has an instance of the type that the Release brings. */
  hasForeignInstance = false;
  readonly #prune: boolean;

  constructor(prune: boolean) {
    this.#prune = prune;
  }

  /** A render is the source now. */
  apply(render: ModelObject[]): Expected {
    if (isOutOfOrder(render)) return { reason: 'OrderInvalid', ...NOTHING };
    const changed = render.filter((object) => !isSame(object, this.live.get(object.id))).map(({ id }) => id);
    const purged = render.filter(({ isPurged }) => isPurged);
    for (const object of render) {
      if (!object.isPurged) this.live.set(object.id, object);
      this.inventory.set(object.id, object);
    }
    const rendered = new Set(render.map(({ id }) => id));
    const redundant = [...this.inventory.values()].filter(({ id }) => !rendered.has(id));
    const applied = { reason: 'Applied', changed, render, purged } as const;
    if (this.#prune) return { ...applied, deletions: this.#remove(redundant) };
    for (const { id } of redundant) this.inventory.delete(id);
    return { ...applied, deletions: [] };
  }

  /** The Release is deleted. */
  delete(): Expected {
    const deletions = this.#remove([...this.inventory.values()]);
    return { reason: undefined, ...NOTHING, deletions };
  }

  #remove(entries: ModelObject[]): ModelObject[][] {
    const staying = [...this.inventory.values()].filter((entry) => !entries.includes(entry));
    const going = entries.filter((entry) => !(entry.kind === 'Namespace' && isUsed(entry, staying)));
    const left: ModelObject[] = [];
    const deletions: ModelObject[][] = [];
    for (const group of deletionGroups(going)) {
      const leaving = group.filter((entry) => this.#isLeft(entry, left));
      left.push(...leaving);
      const deleted = group.filter((entry) => !leaving.includes(entry) && !entry.isPurged);
      for (const entry of deleted) this.#deleteLive(entry);
      if (deleted.length > 0) deletions.push(deleted);
    }
    for (const { id } of going) this.inventory.delete(id);
    return deletions;
  }

  #isLeft(entry: ModelObject, left: ModelObject[]): boolean {
    if (entry.kept) return true;
    // What was left in it in an earlier step holds it too.
    if (entry.kind === 'Namespace')
      return isUsed(entry, [...left, ...[...this.live.values()].filter(({ kept }) => kept)]);
    if (entry.kind !== 'CustomResourceDefinition') return false;
    return this.hasForeignInstance || isUsed(entry, [...this.live.values()]);
  }

  /** A Namespace takes along what is in it and no longer in the inventory. */
  #deleteLive(entry: ModelObject): void {
    this.live.delete(entry.id);
    for (const object of this.live.values()) if (needs(object, entry)) this.live.delete(object.id);
  }
}

function isUsed(entry: ModelObject, by: ModelObject[]): boolean {
  return by.some((object) => needs(object, entry));
}

function isOutOfOrder(render: ModelObject[]): boolean {
  return render.some((object) =>
    render.some(
      (other) => needs(object, other) && (object.wave < other.wave || object.deleteOrder > other.deleteOrder),
    ),
  );
}

function isSame(a: ModelObject, b: ModelObject | undefined): boolean {
  return (
    b !== undefined &&
    a.wave === b.wave &&
    a.deleteOrder === b.deleteOrder &&
    a.kept === b.kept &&
    JSON.stringify(a.object) === JSON.stringify(b.object)
  );
}

/** By ascending delete-order, in each in mirror of the stages; nothing before what cannot exist without it. */
function deletionGroups(entries: ModelObject[]): ModelObject[][] {
  const orderOf = (entry: ModelObject): number =>
    Math.max(
      ...[entry, ...entries.filter((other) => needs(other, entry))].map(({ deleteOrder }) => deleteOrder),
    );
  const groups = Map.groupBy(entries, (entry) => 10 * orderOf(entry) - stageOf(entry));
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}
