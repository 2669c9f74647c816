import type { Static } from 'typebox';
import { DEFAULTS } from './defaults.ts';
import { dataKey } from './fragments.ts';
import type { KindDefinition } from './kind.ts';
import type { KubeObject } from './object.ts';
import { boolean, integer, object, objectName, optional, string, time } from './schema.ts';
import { commonStatus } from './status.ts';

const spec = object('How the cluster is reached.', {
  kubeconfig: optional(
    object('Absent: the cluster that the controller runs on.', {
      secretRef: object(
        'A Secret with a kubeconfig. Exec and auth-provider plugins and files outside the Secret are refused.',
        {
          name: objectName('Name of the Secret, in the namespace of the Cluster.'),
          key: optional(dataKey('The key that holds the kubeconfig.', DEFAULTS.kubeconfigKey)),
        },
      ),
    }),
  ),
  paused: optional(boolean('true: as suspend on all its Releases.', { documentedDefault: DEFAULTS.paused })),
});

const status = object('What is known of the cluster; written by the controller alone.', {
  ...commonStatus,
  serverVersion: optional(string('Version of its API server.', 128)),
  releases: optional(integer('Releases on it.')),
  lastContact: optional(time('When its API server answered last.')),
  latencyMilliseconds: optional(integer('How long that answer took.')),
});

/** A cluster that answers is asked again after this time: `lastContact` is never older while a controller runs. */
export const CONTACT_EVERY_MS = 5 * 60_000;

export type ClusterSpec = Static<typeof spec>;
export type ClusterStatus = Static<typeof status>;
export interface Cluster extends KubeObject {
  kind: 'Cluster';
  spec?: ClusterSpec;
  status?: ClusterStatus;
}

export const CLUSTER: KindDefinition = {
  kind: 'Cluster',
  singular: 'cluster',
  shortName: 'ccl',
  description:
    'Where Releases are applied: the cluster that the controller runs on, or one by the kubeconfig in a Secret.',
  spec,
  specOptional: true,
  status,
  columns: [
    {
      name: 'Ready',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether it answers',
    },
    { name: 'Version', type: 'string', jsonPath: '.status.serverVersion', description: 'Of its API server' },
    { name: 'Releases', type: 'integer', jsonPath: '.status.releases', description: 'Releases on it' },
    {
      name: 'Paused',
      type: 'boolean',
      jsonPath: '.spec.paused',
      wide: true,
      description: 'All its Releases stand still',
    },
    {
      name: 'Age',
      type: 'date',
      jsonPath: '.metadata.creationTimestamp',
      description: 'Since it was created',
    },
    {
      name: 'Message',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].message',
      description: 'What to know',
    },
  ],
};
