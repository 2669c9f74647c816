import { groupOf, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { isMap } from '../render/objects.ts';

/** Where an object names the Services that the API server asks on its behalf. */
const REFERENCES: Readonly<Record<string, (object: KubeObject) => unknown[]>> = {
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': servicesOfWebhooks,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': servicesOfWebhooks,
  'apiregistration.k8s.io/APIService': ({ spec }) => [valueAt(spec, 'service')],
};

/**
 * The Services behind a webhook configuration or an APIService, as far as the render brings them in its wave or a lower one:
 * without a ready endpoint of theirs the API server would refuse or hang (waves.md, "In a wave").
 * @param waves the wave of each object of the render, by keyString
 */
export function backendsOf(
  object: KubeObject,
  wave: number,
  waves: ReadonlyMap<string, number>,
): ObjectKey[] {
  const references = REFERENCES[`${groupOf(object.apiVersion)}/${object.kind}`]?.(object) ?? [];
  const keys = references.flatMap(serviceKey);
  const unique = new Map(keys.map((key) => [keyString(key), key]));
  return [...unique].flatMap(([id, key]) => {
    const place = waves.get(id);
    return place !== undefined && place <= wave ? [key] : [];
  });
}

function servicesOfWebhooks({ webhooks }: KubeObject): unknown[] {
  if (!Array.isArray(webhooks)) return [];
  return webhooks.map((webhook: unknown) => valueAt(valueAt(webhook, 'clientConfig'), 'service'));
}

function serviceKey(reference: unknown): ObjectKey[] {
  const [name, namespace] = [valueAt(reference, 'name'), valueAt(reference, 'namespace')];
  if (typeof name !== 'string' || typeof namespace !== 'string') return [];
  return [{ group: '', kind: 'Service', namespace, name }];
}

function valueAt(value: unknown, field: string): unknown {
  return isMap(value) ? value[field] : undefined;
}
