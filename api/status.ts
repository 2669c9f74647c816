import Type from 'typebox';
import {
  CONDITION_TYPES,
  type ConditionReason,
  type ConditionStatus,
  type ConditionType,
} from './conditions.ts';
import { integer, list, object, oneOf, optional, string, time } from './schema.ts';

const STATUSES = ['True', 'False', 'Unknown'] as const satisfies readonly ConditionStatus[];
const MAX_MESSAGE = 32_768;

/** Reasons are no enum in the CRD, so that one release can write what the schema of another does not know yet. */
const reason = Type.Unsafe<ConditionReason>({
  type: 'string',
  description: 'UpperCamelCase and stable; see the list of reasons.',
  minLength: 1,
  maxLength: 1024,
  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
});

const condition = object('One observation.', {
  type: Type.Unsafe<ConditionType>({
    type: 'string',
    enum: Object.keys(CONDITION_TYPES),
    description: 'What it speaks of.',
  }),
  status: oneOf('Whether it is so.', STATUSES),
  reason,
  message: string('For a person.', MAX_MESSAGE),
  lastTransitionTime: time('When status changed last.'),
  observedGeneration: optional(integer('The generation of the spec that it speaks of.')),
});

/** What every kind with a status has; kstatus and `kubectl wait` read it. */
export const commonStatus = {
  observedGeneration: optional(integer('The generation of the spec that this status speaks of.')),
  conditions: optional(list('Where things stand, by type.', condition, { maxItems: 16, keys: ['type'] })),
};

export const message = (description: string) => string(description, MAX_MESSAGE);
