import { CLUSTER } from './cluster.ts';
import type { ConvoyKind } from './group.ts';
import { GLOBAL_HEALTH_RULE_SET } from './healthRules.ts';
import { RELEASE_INVENTORY } from './inventory.ts';
import type { KindDefinition } from './kind.ts';
import { RELEASE } from './release.ts';

/** Every kind of the API, in the order of the documentation. */
export const KINDS: Readonly<Record<ConvoyKind, KindDefinition>> = {
  Release: RELEASE,
  Cluster: CLUSTER,
  ReleaseInventory: RELEASE_INVENTORY,
  GlobalHealthRuleSet: GLOBAL_HEALTH_RULE_SET,
};
