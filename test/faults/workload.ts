import { PURGE_ORDER, UPDATE_POLICY } from '../../api/annotations.ts';
import type { ModelObject } from '../model/releaseModel.ts';
import { boatDefinition, HOLD, type Slot, slot, type World } from '../model/world.ts';

interface Place {
  wave: number;
  deleteOrder?: number;
  isPurged?: true;
}

const RECREATE = { annotations: { [UPDATE_POLICY]: 'Recreate' } };
const HELD = { finalizers: [HOLD] };

/**
 * A render with all that can be interrupted: four waves with gates, stages in them, a type with instances, a Namespace,
 * delete orders, objects that are slow to go, that are recreated, purged, and late.
 */
export function firstRender(world: World): ModelObject[] {
  return [
    ...common(world, 1),
    place({ wave: 0, deleteOrder: -1 }, core('Secret', world.home, 'secret')),
    place({ wave: 1, deleteOrder: -1 }, deployment(world.home, 'old')),
    place({ wave: 1, deleteOrder: -1 }, core('ConfigMap', world.home, 'held', { metadata: HELD })),
    place({ wave: 1, deleteOrder: 1 }, core('ConfigMap', world.home, 'old')),
    place({ wave: 2 }, boat(world, world.home, 'titanic')),
    place({ wave: 2 }, core('ConfigMap', world.home, 'hashed-1')),
  ];
}

/** The next one: objects are changed, added and left out in each wave. */
export function secondRender(world: World): ModelObject[] {
  return [
    ...common(world, 2),
    place({ wave: 0 }, core('ConfigMap', world.home, 'new')),
    place({ wave: 1 }, deployment(world.home, 'cache')),
    place({ wave: 1, deleteOrder: 1 }, core('ConfigMap', world.home, 'late-held', { metadata: HELD })),
    place({ wave: 1 }, core('Secret', world.own, 'inner')),
    place({ wave: 2 }, boat(world, world.home, 'olympic')),
    place({ wave: 2 }, core('ConfigMap', world.home, 'hashed-2')),
  ];
}

/** What both have, in a version of it. */
function common(world: World, version: number): ModelObject[] {
  const { home, own, group } = world;
  return [
    place({ wave: 0, deleteOrder: 2 }, core('Namespace', '', own)),
    place({ wave: 0, deleteOrder: 2 }, boatDefinition(group)),
    place({ wave: 0, deleteOrder: 1 }, core('ServiceAccount', home, 'account')),
    place({ wave: 0, deleteOrder: 1 }, role(home)),
    place({ wave: 0, deleteOrder: 1 }, binding(home)),
    place({ wave: 0, deleteOrder: 1 }, core('ConfigMap', home, 'settings', { data: data(version) })),
    place({ wave: 0, deleteOrder: 1 }, deployment(home, 'database', { image: `database:${version}` })),
    place({ wave: 1, deleteOrder: 1 }, core('ConfigMap', own, 'inner', { data: data(1) })),
    place({ wave: 1, isPurged: true }, job(home)),
    place(
      { wave: 1 },
      core('ConfigMap', home, 'fixed', { metadata: RECREATE, immutable: true, data: data(version) }),
    ),
    place({ wave: 1 }, deployment(home, 'worker', { app: `worker-${version}`, metadata: RECREATE })),
    place({ wave: 2 }, deployment(home, 'guard')),
    place({ wave: 2 }, guardService(home)),
    place({ wave: 2 }, guardConfiguration(world)),
    place({ wave: 2 }, boat(world, own, 'inner')),
    place({ wave: 3, deleteOrder: version - 2 }, core('ConfigMap', home, 'last')),
  ];
}

function place({ wave, deleteOrder = 0, isPurged }: Place, object: Slot): ModelObject {
  return { ...object, wave, deleteOrder, kept: false, ...(isPurged === undefined ? {} : { isPurged }) };
}

function core(kind: string, namespace: string, name: string, more: object = {}): Slot {
  return slot('v1', kind, namespace, name, more);
}

function data(version: number): Record<string, string> {
  return { version: String(version) };
}

function boat({ group }: World, namespace: string, name: string): Slot {
  return slot(`${group}/v1`, 'Boat', namespace, name, {});
}

function role(home: string): Slot {
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  return slot('rbac.authorization.k8s.io/v1', 'Role', home, 'role', { rules });
}

function binding(home: string): Slot {
  return slot('rbac.authorization.k8s.io/v1', 'RoleBinding', home, 'binding', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'role' },
    subjects: [{ kind: 'ServiceAccount', name: 'account', namespace: home }],
  });
}

function deployment(
  home: string,
  name: string,
  { image = 'main:1', app = name, metadata = {} }: { image?: string; app?: string; metadata?: object } = {},
): Slot {
  const labels = { app };
  return slot('apps/v1', 'Deployment', home, name, {
    metadata,
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: `registry.example/${image}` }] },
      },
    },
  });
}

function job(home: string): Slot {
  return slot('batch/v1', 'Job', home, 'migration', {
    metadata: { annotations: { [PURGE_ORDER]: '1' } },
    spec: {
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: 'registry.example/migration:1' }],
        },
      },
    },
  });
}

function guardService(home: string): Slot {
  return core('Service', home, 'guard', { spec: { selector: { app: 'guard' }, ports: [{ port: 443 }] } });
}

/** It matches no object. */
function guardConfiguration({ home, own }: World): Slot {
  return slot('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', '', own, {
    webhooks: [
      {
        name: 'guard.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        objectSelector: { matchLabels: { guarded: home } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        clientConfig: { service: { name: 'guard', namespace: home } },
      },
    ],
  });
}
