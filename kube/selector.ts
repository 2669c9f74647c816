/** metav1.LabelSelector. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

const EXPRESSIONS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/**
 * A LabelSelector as the text that list and watch take. An empty selector gives '', which selects everything.
 * @throws TypeError for an operator that Kubernetes does not have
 */
export function labelSelectorText(selector: LabelSelector): string {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    const write = EXPRESSIONS[operator];
    if (write === undefined) {
      throw new TypeError(
        `label selector on "${key}": operator "${operator}" is none of ${Object.keys(EXPRESSIONS).join(', ')}`,
      );
    }
    return write(key, values.join(','));
  });
  return [...labels, ...expressions].join(',');
}
