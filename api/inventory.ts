import type { Static } from 'typebox';
import { SYNC_STRATEGIES } from './annotations.ts';
import { ENTRIES_PER_SHARD, MAX_HEALTH_MESSAGE } from './limits.ts';
import { HEALTH_STATES } from './healthRules.ts';
import type { KindDefinition } from './kind.ts';
import type { KubeObject } from './object.ts';
import { boolean, digest, integer, list, object, oneOf, optional, string, time } from './schema.ts';
import { waveNumber } from './wave.ts';

const STAGES = ['Namespaces', 'Types', 'Prerequisites', 'Regular', 'Late', 'Instances'] as const;
export type StageName = (typeof STAGES)[number];

const entry = object('One object that the Release has applied, or is about to.', {
  group: string('API group; "" is the core group.', 253),
  version: string('API version it was applied in.', 63),
  kind: string('Kind.', 63),
  namespace: string('Namespace; "" for a cluster-scoped object.', 63),
  name: string('Name.', 253),
  uid: optional(string('Absent until it was applied.', 128)),
  wave: waveNumber('Its wave.'),
  stage: oneOf('Its stage in the wave.', STAGES),
  strategy: optional(oneOf('Its part in the gate of its wave. Absent: waitForApplied.', SYNC_STRATEGIES)),
  timeout: optional(string('Its limit of that gate, with waitForHealthyWithTimeout; a duration.', 64)),
  deleteOrder: optional(waveNumber('Its delete wave. Absent: 0.')),
  renderRef: digest('The render that it was applied from last.'),
  purged: optional(boolean('true: deleted again by its purge-order.')),
  health: optional(
    object('Its health.', {
      state: oneOf('The state.', HEALTH_STATES),
      message: optional(string('What a person should know.', MAX_HEALTH_MESSAGE)),
      since: time('Since when it is in that state.'),
      unhealthySince: optional(time('Since when it is not Healthy, where that is longer.')),
      renderRef: digest('The render that it was assessed for.'),
    }),
  ),
});

const spec = object('The objects.', {
  shard: optional(integer('Number of this shard, from 0.', { maximum: 10_000 })),
  entries: list('Written as a whole.', entry, { maxItems: ENTRIES_PER_SHARD }),
});

export type InventoryEntry = Static<typeof entry>;
export type ReleaseInventorySpec = Static<typeof spec>;
export interface ReleaseInventory extends KubeObject {
  kind: 'ReleaseInventory';
  spec: ReleaseInventorySpec;
}

export const RELEASE_INVENTORY: KindDefinition = {
  kind: 'ReleaseInventory',
  singular: 'releaseinventory',
  shortName: 'rinv',
  description:
    'What a Release has applied, with the wave and health of each object. Owned by the Release and written by the controller alone.',
  spec,
  columns: [
    {
      name: 'Release',
      type: 'string',
      jsonPath: '.metadata.ownerReferences[?(@.kind=="Release")].name',
      description: 'Whose it is',
    },
    {
      name: 'Age',
      type: 'date',
      jsonPath: '.metadata.creationTimestamp',
      description: 'Since it was created',
    },
  ],
};
