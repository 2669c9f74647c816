import fc from 'fast-check';
import { DELETE_ORDER, PRUNE, PRUNE_DISABLED, SYNC_WAVE } from '../../api/annotations.ts';
import { type ModelObject, needs, type ReleaseModel } from './releaseModel.ts';
import { slotsOf, worldOf, type Slot, type World } from './world.ts';

interface Choice {
  present: boolean;
  wave: number;
  deleteOrder: number;
  kept: boolean;
}

export interface Step {
  /** Orders are put right where they break the rules. */
  inOrder: boolean;
  /** For each slot of the world. */
  choices: Choice[];
}

/** The life of one Release up to its deletion. */
export interface Scenario {
  prune: boolean;
  /** Somebody else has an instance of the type that the Release brings. */
  foreignBoat: boolean;
  steps: Step[];
}

const SLOTS = slotsOf(worldOf('any')).length;

const choice: fc.Arbitrary<Choice> = fc.record({
  present: fc.boolean(),
  wave: fc.integer({ min: 0, max: 2 }),
  deleteOrder: fc.integer({ min: -1, max: 1 }),
  kept: oneIn(6),
});

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  prune: fc.boolean(),
  foreignBoat: oneIn(4),
  steps: fc.array(
    fc.record({
      inOrder: oneIn(6).map((broken) => !broken),
      choices: fc.array(choice, { minLength: SLOTS, maxLength: SLOTS }),
    }),
    { minLength: 3, maxLength: 4, size: 'max' },
  ),
});

function oneIn(count: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 1, max: count }).map((drawn) => drawn === 1);
}

/** The render of a step: what can exist by means of it and of what is there already. */
export function renderOf(
  world: World,
  model: ReleaseModel,
  { prune, foreignBoat }: Scenario,
  { inOrder, choices }: Step,
): ModelObject[] {
  const drawn = slotsOf(world).map((slot, index) => modelObject(slot, choices[index]));
  const wanted = drawn.filter((object, index) => {
    // Dropped from the inventory, it would hold its type until it goes with its Namespace: which is first, is open.
    if (!prune && object.kind === 'Boat' && object.namespace === world.own) return false;
    return index === 0 || object.present || (foreignBoat && object.kind === 'CustomResourceDefinition');
  });
  const possible = wanted.filter((object) =>
    drawn
      .filter((other) => needs(object, other))
      .every(
        (needed) => wanted.includes(needed) || (needed.kind === 'Namespace' && model.live.has(needed.id)),
      ),
  );
  return possible.map((object) => (inOrder ? putInOrder(object, possible) : object));
}

function modelObject(slot: Slot, choice: Choice | undefined): ModelObject & { present: boolean } {
  if (choice === undefined) throw new Error(`no choice was drawn for ${slot.id}`);
  const isRemovable = slot.kind !== 'Boat' && !slot.id.endsWith('/held');
  return { ...slot, ...choice, kept: choice.kept && isRemovable };
}

function putInOrder(object: ModelObject, render: ModelObject[]): ModelObject {
  const needed = render.filter((other) => needs(object, other));
  return {
    ...object,
    wave: Math.max(object.wave, ...needed.map(({ wave }) => wave)),
    deleteOrder: Math.min(object.deleteOrder, ...needed.map(({ deleteOrder }) => deleteOrder)),
  };
}

/** Convoy's annotations on an object of the model. */
export function annotationsOf({ wave, deleteOrder, kept }: ModelObject): Record<string, string> {
  return {
    [SYNC_WAVE]: String(wave),
    [DELETE_ORDER]: String(deleteOrder),
    ...(kept ? { [PRUNE]: PRUNE_DISABLED } : {}),
  };
}

/** A render as a Release's inline source. */
export function sourceOf(render: ModelObject[]): string {
  return render
    .map((entry) => {
      const { metadata } = entry.object;
      return JSON.stringify({
        ...entry.object,
        metadata: {
          ...metadata,
          annotations: { ...(metadata['annotations'] as object), ...annotationsOf(entry) },
        },
      });
    })
    .join('\n---\n');
}
