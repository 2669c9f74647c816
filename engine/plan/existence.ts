import { groupOf, type KubeObject } from '../../api/object.ts';

/** Whether others can exist by means of this object, and if not, why. */
export interface Existing {
  usable: boolean;
  message: string;
}

interface Condition {
  type: string;
  status: string;
  message?: string;
}

/**
 * Says of a Namespace, CRD or APIService whether what needs it can be applied (waves.md, "In a wave");
 * undefined for kinds that nothing else needs in order to exist.
 */
export function existence(object: KubeObject): Existing | undefined {
  return RULES[`${groupOf(object.apiVersion)}/${object.kind}`]?.(object);
}

const RULES: Readonly<Record<string, (object: KubeObject) => Existing>> = {
  '/Namespace': namespaceExistence,
  'apiextensions.k8s.io/CustomResourceDefinition': (crd) =>
    conditionsTrue(crd, ['Established', 'NamesAccepted']),
  'apiregistration.k8s.io/APIService': (service) => conditionsTrue(service, ['Available']),
};

function namespaceExistence(namespace: KubeObject): Existing {
  if (namespace.metadata.deletionTimestamp !== undefined)
    return { usable: false, message: 'it is being deleted' };
  const { phase } = statusOf<{ phase?: string }>(namespace);
  return {
    usable: phase === 'Active',
    message: phase === 'Active' ? 'Active' : `its phase is ${phase ?? 'not set'}`,
  };
}

function statusOf<T extends object>(object: KubeObject): Partial<T> {
  const status: Partial<T> | undefined = object['status'] as Partial<T> | undefined;
  return status ?? {};
}

function conditionsTrue(object: KubeObject, types: string[]): Existing {
  // A CRD that was just created says `conditions: null`.
  const conditions = statusOf<{ conditions?: Condition[] | null }>(object).conditions ?? [];
  const missing = types.flatMap((type) => {
    const condition = conditions.find((candidate) => candidate.type === type);
    return condition?.status === 'True'
      ? []
      : [`${type} is ${condition?.status ?? 'not reported'}${detail(condition)}`];
  });
  return {
    usable: missing.length === 0,
    message: missing.length === 0 ? types.join(', ') : missing.join('; '),
  };
}

function detail(condition: Condition | undefined): string {
  return condition?.message === undefined || condition.message === '' ? '' : ` (${condition.message})`;
}
