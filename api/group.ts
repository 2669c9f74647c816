/** The API group of every Convoy kind. */
export const GROUP = 'core.convoy.kumodo.io';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${GROUP}/${VERSION}`;

/** Field manager of what a Release applies. */
export const FIELD_MANAGER = 'convoy';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

function resource(kind: string, plural: string, namespaced = true) {
  return { group: GROUP, version: VERSION, kind, plural, namespaced, verbs: VERBS };
}

/** How each kind is addressed, as plain data: importing it loads no schema. */
export const RESOURCES = {
  Release: resource('Release', 'releases'),
  Cluster: resource('Cluster', 'clusters'),
  ReleaseInventory: resource('ReleaseInventory', 'releaseinventories'),
  GlobalHealthRuleSet: resource('GlobalHealthRuleSet', 'globalhealthrulesets', false),
} as const;

export type ConvoyKind = keyof typeof RESOURCES;
