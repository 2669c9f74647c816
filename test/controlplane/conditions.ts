export interface ObjectCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
}

/** A condition of any object. The API server writes `conditions: null` where a CRD has none yet. */
export function conditionOf(
  object: Readonly<Record<string, unknown>>,
  type: string,
): ObjectCondition | undefined {
  const status = object['status'] as { conditions?: ObjectCondition[] | null } | null | undefined;
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Whether an object has the condition and it is True. */
export function isTrue(object: Readonly<Record<string, unknown>>, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}
