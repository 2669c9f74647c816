import { RELEASE_LABEL } from '../../api/annotations.ts';
import { FIELD_MANAGER, RESOURCES } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';

export const VALIDATE_PATH = '/validate';
export const MUTATE_PATH = '/mutate';
/** Who the controller is, as the install manifests make it. */
export const CONTROLLER_USER = 'system:serviceaccount:convoy-system:convoy-controller';

/** How an API server reaches the webhook. */
export type ClientConfig =
  { service: { namespace: string; name: string; port?: number; path: string } } | { url: string };

export interface Registration {
  /** Of both configurations. */
  name: string;
  client: (path: string) => ClientConfig;
  controllerUser: string;
  /** Namespaces whose objects get no wave annotations: what the cluster and the webhook itself need to live. */
  exemptNamespaces: readonly string[];
}

const API_VERSION = 'admissionregistration.k8s.io/v1';
const { Release, Cluster, GlobalHealthRuleSet } = RESOURCES;

/** On deletion there is no object. */
const NOT_BEING_DELETED = {
  name: 'not-being-deleted',
  expression: 'object == null || !has(object.metadata.deletionTimestamp)',
};

/** What `convoy` asks of an API server for `/validate`: all of Convoy's own kinds fail closed, and nothing else. */
export function validatingConfiguration(registration: Registration): KubeObject {
  const { name, client, controllerUser } = registration;
  const written = [Release, Cluster, GlobalHealthRuleSet].map(({ plural }) => plural);
  return {
    apiVersion: API_VERSION,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        ...common('validate.convoy.kumodo.io', client(VALIDATE_PATH)),
        failurePolicy: 'Fail',
        timeoutSeconds: 10,
        rules: [rule(written, ['CREATE', 'UPDATE']), rule([Cluster.plural], ['DELETE'])],
        matchConditions: [NOT_BEING_DELETED, notBy(controllerUser)],
      },
    ],
  };
}

/** The same for `/mutate`: Releases fail closed; objects of others are never held up (admission.md). */
export function mutatingConfiguration(registration: Registration): KubeObject {
  const { name, client, controllerUser, exemptNamespaces } = registration;
  return {
    apiVersion: API_VERSION,
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        ...common('sync-requests.convoy.kumodo.io', client(MUTATE_PATH)),
        failurePolicy: 'Fail',
        timeoutSeconds: 5,
        reinvocationPolicy: 'IfNeeded',
        rules: [rule([Release.plural], ['CREATE', 'UPDATE'])],
        matchConditions: [NOT_BEING_DELETED, notBy(controllerUser)],
      },
      {
        ...common('sync-wave.convoy.kumodo.io', client(MUTATE_PATH)),
        failurePolicy: 'Ignore',
        timeoutSeconds: 2,
        reinvocationPolicy: 'IfNeeded',
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE'] }],
        objectSelector: { matchExpressions: [{ key: RELEASE_LABEL, operator: 'Exists' }] },
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [...exemptNamespaces] },
          ],
        },
        matchConditions: [NOT_BEING_DELETED, NOT_BY_CONVOY],
      },
    ],
  };
}

/** Convoy's own applies carry the annotations already. A bare comparison would err where no manager is sent. */
const NOT_BY_CONVOY = {
  name: 'not-applied-by-convoy',
  expression: `!has(request.options.fieldManager) || request.options.fieldManager != '${FIELD_MANAGER}'`,
};

/** By the identity that the API server has authenticated: a field manager anybody can set. */
function notBy(user: string): { name: string; expression: string } {
  return {
    name: 'not-by-the-controller',
    expression: `request.userInfo.username != ${JSON.stringify(user)}`,
  };
}

function common(name: string, clientConfig: ClientConfig) {
  return { name, clientConfig, admissionReviewVersions: ['v1'], sideEffects: 'None' };
}

function rule(resources: readonly string[], operations: readonly string[]) {
  const { group, version } = Release;
  return {
    apiGroups: [group],
    apiVersions: [version],
    resources: [...resources],
    operations: [...operations],
  };
}
