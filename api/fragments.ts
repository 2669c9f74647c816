import { list, object, objectName, oneOf, optional, string, stringMap } from './schema.ts';

const LABELS = { maxProperties: 64, maxLength: 63 };
const ANNOTATION_VALUES = { maxProperties: 64, maxLength: 4096 };
const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

function selector(
  typeName: string,
  description: string,
  limits: { maxProperties: number; maxLength: number },
  minProperties?: number,
) {
  return object(
    description,
    {
      matchLabels: optional(stringMap('Each must be there with exactly this value.', limits)),
      matchExpressions: optional(
        list(
          'Each must be true.',
          object('One requirement.', {
            key: string('The key that it is about.', 316, { minLength: 1 }),
            operator: oneOf('How the key relates to the values.', OPERATORS),
            values: optional(
              list(
                'For In and NotIn: at least one; for the others: none.',
                string('A value.', limits.maxLength),
                { maxItems: 64 },
              ),
            ),
          }),
          { maxItems: 32 },
        ),
      ),
    },
    minProperties === undefined ? { typeName } : { typeName, minProperties },
  );
}

/** A Kubernetes label selector; an empty one selects everything. */
export function labelSelector(description: string) {
  return selector('label selector', description, LABELS);
}

/** A label selector that must say something: where selecting everything is never meant. */
export function restrictingSelector(description: string) {
  return selector('label selector', description, LABELS, 1);
}

/** The same form over annotations, whose values may be longer. */
export function annotationSelector(description: string) {
  return selector('annotation selector', description, ANNOTATION_VALUES);
}

export function secretRef(description: string) {
  return object(description, { name: objectName('Name of the Secret, in the namespace of this object.') });
}

/** A key of a ConfigMap or Secret. */
export function dataKey(description: string, documentedDefault?: string) {
  return string(description, 253, {
    minLength: 1,
    pattern: '^[-._a-zA-Z0-9]+$',
    ...(documentedDefault === undefined ? {} : { documentedDefault }),
  });
}
