import type { HealthRule } from '../../../../../api/healthRules.ts';
import type { KubeObject } from '../../../../../api/object.ts';
import { assess } from '../../../../../engine/health/assess.ts';
import type { Assessment } from '../../../../../engine/health/assessment.ts';
import { Rule } from '../../../../../engine/health/rules/rule.ts';
import { object, type Parts } from '../support.ts';

export const NOW = new Date('2026-03-01T12:00:00Z');
const TARGET = { group: 'example.com', kind: 'Widget' };

export const widget = (parts: Parts & { data?: unknown } = {}): KubeObject =>
  object('example.com/v1', 'Widget', parts);

export const ruleOf = (expressions: Partial<HealthRule>): Rule =>
  new Rule({ target: TARGET, ...expressions }, 'rules[0] of test');

/** What a rule makes of a Widget. */
export const judged = (expressions: Partial<HealthRule>, parts: Parts = {}, now = NOW): Assessment =>
  assess(widget(parts), now, {}, [ruleOf(expressions)]);

export const holds = (expression: string, parts: Parts = {}): Assessment =>
  judged({ healthy: expression }, parts);
