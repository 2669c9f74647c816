import { anyValue, digest, freeForm, list, object, oneOf, optional, string, stringMap } from './schema.ts';
import type { Rule } from './keywords.ts';
import { annotationSelector, labelSelector } from './fragments.ts';
import { resourceWave } from './wave.ts';

/** The field that each type of mutation has, and no other. */
const FIELD_OF = {
  syncWave: 'waveStrategy',
  labels: 'labels',
  annotations: 'annotations',
  images: 'images',
  jsonPatch: 'jsonPatch',
  mergePatch: 'mergePatch',
} as const;
const MUTATION_TYPES = ['syncWave', 'labels', 'annotations', 'images', 'jsonPatch', 'mergePatch'] as const;

const fieldOfItsType: Rule = {
  rule: MUTATION_TYPES.map((type) => `has(self.${FIELD_OF[type]}) == (self.type == '${type}')`).join(' && '),
  message:
    'set exactly the field of its type: waveStrategy for syncWave, for every other type the field of the same name',
  check: (self: { type: string } & Record<string, unknown>) =>
    MUTATION_TYPES.every((type) => (self[FIELD_OF[type]] !== undefined) === (self.type === type)),
};

const imageChangesSomething: Rule = {
  rule: 'has(self.newName) || has(self.newTag) || has(self.digest)',
  message: 'set at least one of newName, newTag and digest',
  check: (self: Record<string, unknown>) =>
    self.newName !== undefined || self.newTag !== undefined || self.digest !== undefined,
};

const JSON_PATCH_OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;
const POINTER = '^(/([^~]|~[01])*)?$';

const target = object('Which objects; an absent field matches all.', {
  group: optional(string('API group; "" is the core group.', 253)),
  version: optional(string('API version.', 63)),
  kind: optional(string('Kind.', 63)),
  name: optional(string('Name: exact, or a glob with * and ?.', 253)),
  namespace: optional(string('Namespace.', 63)),
  labelSelector: optional(labelSelector('By label.')),
  annotationSelector: optional(annotationSelector('By annotation.')),
});

const image = object(
  'One image name and what becomes of it.',
  {
    name: string('The image as the render names it, without tag and digest.', 512, { minLength: 1 }),
    newName: optional(string('The name to use instead.', 512, { minLength: 1 })),
    newTag: optional(string('The tag to use instead.', 128, { pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*$' })),
    digest: optional(digest('The digest to use instead.')),
  },
  { rules: [imageChangesSomething] },
);

const operation = object('One operation of RFC 6902.', {
  op: oneOf('What to do.', JSON_PATCH_OPERATIONS),
  path: string('JSON Pointer to where.', 1024, { pattern: POINTER }),
  from: optional(string('JSON Pointer to where from, for move and copy.', 1024, { pattern: POINTER })),
  value: optional(anyValue('The value, for add, replace and test.')),
});

export const mutation = object(
  'One change to the selected objects of the render.',
  {
    type: oneOf('What kind of change.', MUTATION_TYPES),
    target: optional(target),
    waveStrategy: optional(resourceWave),
    labels: optional(stringMap('Labels to set.', { maxProperties: 64, maxLength: 63 })),
    annotations: optional(stringMap('Annotations to set.', { maxProperties: 64, maxLength: 65_536 })),
    images: optional(
      list('Images to replace in the containers of all pod templates.', image, {
        maxItems: 64,
        keys: ['name'],
      }),
    ),
    jsonPatch: optional(list('Operations of RFC 6902, in order.', operation, { maxItems: 64 })),
    mergePatch: optional(freeForm('A merge patch of RFC 7386.')),
  },
  { rules: [fieldOfItsType] },
);
