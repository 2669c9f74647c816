import type { GlobalHealthRuleSet, HealthRule } from '../../../api/healthRules.ts';
import { selects, type Selector } from '../../mutations/selector.ts';
import { Rule } from './rule.ts';

/** Where the rules of a Release stand in it. */
export const LOCAL_RULES = 'spec.healthAssessment.rules';

/** The rules that a Release brings itself, in their order. */
export function localRules(rules: readonly HealthRule[]): Rule[] {
  return rules.map((rule, index) => new Rule(rule, `${LOCAL_RULES}[${index}]`, true));
}

/** The rules of a rule set, in their order. */
export function rulesOfSet({ metadata, spec }: GlobalHealthRuleSet): Rule[] {
  return spec.rules.map((rule, index) => new Rule(rule, `rules[${index}] of ${metadata.name}`));
}

/** Rule sets that a selector selects, by name. Without a selector none is. */
export function selectedSets<Set extends Pick<GlobalHealthRuleSet, 'metadata'>>(
  sets: Iterable<Set>,
  selector: Selector | undefined,
): Set[] {
  if (selector === undefined) return [];
  return [...sets]
    .filter(({ metadata }) => selects(selector, metadata.labels ?? {}))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
