import { DEFAULTS } from './defaults.ts';
import { boolean, freeForm, list, object, objectName, oneOf, optional, string, stringMap } from './schema.ts';
import { dataKey } from './fragments.ts';

const CONTENT_TYPES = ['yaml', 'kustomize', 'helm'] as const;
const REFERENCED = ['ConfigMap', 'Secret'] as const;

const reference = {
  kind: oneOf('ConfigMap or Secret.', REFERENCED),
  name: objectName('Its name, in the Release’s namespace.'),
  optional: optional(boolean('Whether it may be missing.', { documentedDefault: false })),
};

const helm = object('How the chart is rendered.', {
  releaseName: optional(
    string('The release name that templates see. Default: the name of the Release.', 53, {
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    }),
  ),
  values: optional(freeForm('Values, over those of valuesFrom.')),
  valuesFrom: optional(
    list(
      'Values from ConfigMaps and Secrets; later ones win.',
      object('One of them.', {
        ...reference,
        key: optional(dataKey('The key that holds the values.', 'values.yaml')),
      }),
      { maxItems: 32 },
    ),
  ),
  includeCRDs: optional(
    boolean('Whether the objects of the chart’s crds/ folder are part of the render.', {
      documentedDefault: DEFAULTS.includeCRDs,
    }),
  ),
});

export const content = object('How the source becomes objects.', {
  path: optional(
    string('The folder (or file) in the source, relative to its root.', 1024, {
      documentedDefault: DEFAULTS.contentPath,
    }),
  ),
  type: optional(oneOf('What is found there.', CONTENT_TYPES, { documentedDefault: DEFAULTS.contentType })),
  helm: optional(helm),
  variables: optional(
    stringMap('Replaces ${NAME} in plain YAML; a name without a value fails the render.', {
      maxProperties: 256,
      maxLength: 4096,
    }),
  ),
  variablesFrom: optional(
    list(
      'Variables from the data of ConfigMaps and Secrets; `variables` win.',
      object('One of them.', reference),
      {
        maxItems: 32,
      },
    ),
  ),
});
