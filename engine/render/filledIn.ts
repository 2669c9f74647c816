import { groupOf, type KubeObject } from '../../api/object.ts';
import { isMap } from './objects.ts';

/** Where kinds keep the certificates by which the API server knows a webhook or another API server. */
const CLIENTS: Readonly<Record<string, (object: KubeObject) => unknown[]>> = {
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': clientsOfWebhooks,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': clientsOfWebhooks,
  'apiregistration.k8s.io/APIService': ({ spec }) => [spec],
  'apiextensions.k8s.io/CustomResourceDefinition': ({ spec }) => [
    at(at(at(spec, 'conversion'), 'webhook'), 'clientConfig'),
  ],
};

/** Nothing, and base64 of a line break: what charts write where a CA injector is to fill in the certificates. */
const PLACEHOLDERS: readonly unknown[] = ['', null, 'Cg=='];

/**
 * Takes out what the source only holds a place for and others fill in: set by the render it would be taken back from them
 * for ever. That is the `rules` of a ClusterRole with an aggregationRule, which are the controller manager's whatever is
 * written there (rbac.authorization.k8s.io/v1), and a `caBundle` without a certificate. Changes the object.
 */
export function leaveToOthers(object: KubeObject): void {
  const type = `${groupOf(object.apiVersion)}/${object.kind}`;
  if (type === 'rbac.authorization.k8s.io/ClusterRole' && isMap(object['aggregationRule']))
    delete object['rules'];
  for (const client of CLIENTS[type]?.(object) ?? []) {
    if (isMap(client) && PLACEHOLDERS.includes(client['caBundle'])) delete client['caBundle'];
  }
}

function clientsOfWebhooks({ webhooks }: KubeObject): unknown[] {
  return Array.isArray(webhooks) ? webhooks.map((webhook: unknown) => at(webhook, 'clientConfig')) : [];
}

function at(value: unknown, field: string): unknown {
  return isMap(value) ? value[field] : undefined;
}
