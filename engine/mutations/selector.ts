/** A label selector of Kubernetes (metav1.LabelSelector), or the same form over annotations. */
export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: Requirement[];
}

interface Requirement {
  key: string;
  operator: Operator;
  values?: string[];
}

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

/** By operator: what it says of the value, undefined where the key is not there. */
const HOLDS: Readonly<Record<Operator, (value: string | undefined, values: readonly string[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

const NEEDS_VALUES: Readonly<Record<Operator, boolean>> = {
  In: true,
  NotIn: true,
  Exists: false,
  DoesNotExist: false,
};

/**
 * Tells whether a selector selects these labels, as Kubernetes does: all that it asks for must hold, and an empty one
 * selects everything. One that Kubernetes would refuse (`selectorProblems`) selects nothing.
 */
export function selects(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  const valueOf = (key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => valueOf(key) === value) &&
    matchExpressions.every(
      (requirement) =>
        isValid(requirement) &&
        HOLDS[requirement.operator](valueOf(requirement.key), requirement.values ?? []),
    )
  );
}

/** @returns what Kubernetes would refuse in a selector: `matchExpressions[0]: In needs at least one value` */
export function selectorProblems({ matchExpressions = [] }: Selector): string[] {
  return matchExpressions.flatMap((requirement, index) => {
    if (isValid(requirement)) return [];
    const takes = NEEDS_VALUES[requirement.operator] ? 'needs at least one value' : 'takes no values';
    return [`matchExpressions[${index}]: ${requirement.operator} ${takes}`];
  });
}

function isValid({ operator, values = [] }: Requirement): boolean {
  return NEEDS_VALUES[operator] === values.length > 0;
}
