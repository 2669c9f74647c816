import { type Static } from 'typebox';
import { list, object, optional, string } from './schema.ts';
import type { Rule } from './keywords.ts';
import type { KubeObject } from './object.ts';
import type { KindDefinition } from './kind.ts';
import { commonStatus } from './status.ts';

const MAX_EXPRESSION = 4096;
export const HEALTH_STATES = ['Healthy', 'Progressing', 'Degraded', 'Unknown'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

const decidesSomething: Rule = {
  rule: 'has(self.degraded) || has(self.progressing) || has(self.healthy)',
  message: 'set at least one of degraded, progressing and healthy',
  check: (self: Record<string, unknown>) =>
    self.degraded !== undefined || self.progressing !== undefined || self.healthy !== undefined,
};

const expression = (description: string) => optional(string(description, MAX_EXPRESSION, { minLength: 1 }));

const healthRule = object(
  'CEL expressions over self, metadata, spec, status, data and now. Degraded is asked first, then progressing, then healthy; when none is true the state is Unknown.',
  {
    target: object('Which objects the rule is for.', {
      group: string('API group; "" is the core group.', 253, {
        pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$',
        expected: 'an API group without its version, such as apps, or "" for the core group',
      }),
      version: optional(
        string('API version; without it every one.', 63, {
          pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
          expected: 'an API version without its group, such as v1',
        }),
      ),
      kind: string('Kind.', 63, {
        pattern: '^[A-Za-z][A-Za-z0-9]*$',
        expected: 'the name of a kind, such as Deployment',
      }),
      name: optional(string('Name; without it every one.', 253, { minLength: 1 })),
      namespace: optional(string('Namespace; without it every one.', 63, { minLength: 1 })),
    }),
    degraded: expression('True: the object is Degraded.'),
    progressing: expression('True: the object is Progressing.'),
    healthy: expression('True: the object is Healthy.'),
    message: expression('A string: what a person should read.'),
  },
  { rules: [decidesSomething] },
);

export const healthRules = (description: string, maxItems: number) =>
  list(description, healthRule, { maxItems });

const spec = object('The rules.', {
  rules: healthRules('The first rule that matches an object decides.', 256),
});

const status = object('What became of the rules; written by the controller alone.', commonStatus);

export type HealthRule = Static<typeof healthRule>;
export type GlobalHealthRuleSetSpec = Static<typeof spec>;
export type GlobalHealthRuleSetStatus = Static<typeof status>;
export interface GlobalHealthRuleSet extends KubeObject {
  kind: 'GlobalHealthRuleSet';
  spec: GlobalHealthRuleSetSpec;
  status?: GlobalHealthRuleSetStatus;
}

export const GLOBAL_HEALTH_RULE_SET: KindDefinition = {
  kind: 'GlobalHealthRuleSet',
  singular: 'globalhealthruleset',
  shortName: 'hrs',
  description:
    'Health rules for every namespace. A Release takes those that its healthAssessment.globalRuleSetSelector selects, by name.',
  spec,
  status,
  columns: [
    {
      name: 'Ready',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether its expressions compile',
    },
    {
      name: 'Kinds',
      type: 'string',
      jsonPath: '.spec.rules[*].target.kind',
      wide: true,
      description: 'What it is for',
    },
    {
      name: 'Age',
      type: 'date',
      jsonPath: '.metadata.creationTimestamp',
      description: 'Since it was created',
    },
  ],
};
