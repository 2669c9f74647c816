import type { GlobalHealthRuleSet, HealthRule } from '../../api/healthRules.ts';
import type { KubeObject } from '../../api/object.ts';
import type { ReleaseSpec } from '../../api/release.ts';
import { expressionsLength } from '../health/rules/length.ts';
import { LOCAL_RULES, localRules, rulesOfSet } from '../health/rules/ruleSets.ts';
import type { Rule } from '../health/rules/rule.ts';
import { covers, describeTarget } from '../health/rules/target.ts';
import { builtInScope } from '../render/scopes.ts';
import { type Review, reviewSchema } from './review.ts';

/** Characters of all expressions of one Release: whoever may write one must not keep the controller busy. */
const MAX_LOCAL_TEXT = 32 * 1024;

/** As reviewObject, for a GlobalHealthRuleSet. */
export async function reviewRuleSet(object: KubeObject): Promise<Review> {
  const { problems, warnings } = await reviewSchema(object);
  // What is of the wrong type cannot be read any further.
  if (problems.length > 0) return { problems, warnings };
  const rules = rulesOfSet(object as GlobalHealthRuleSet);
  return { problems: ruleProblems(rules, 'spec.rules'), warnings: shadowed(rules, 'spec.rules') };
}

/** What is wrong with the rules that a Release brings: which rule, which expression, where in it, and what. */
export function localRuleProblems({ healthAssessment }: ReleaseSpec): string[] {
  const specs = healthAssessment?.rules ?? [];
  const length = expressionsLength(specs);
  if (length > MAX_LOCAL_TEXT)
    return [
      `${LOCAL_RULES}: their expressions have ${length} characters, at most ${MAX_LOCAL_TEXT}: ` +
        'put them into a GlobalHealthRuleSet, or make them shorter',
    ];
  return ruleProblems(localRules(specs), LOCAL_RULES);
}

export function localRuleWarnings({ healthAssessment }: ReleaseSpec): string[] {
  return shadowed(localRules(healthAssessment?.rules ?? []), LOCAL_RULES);
}

/** What is wrong with rules, each with its rule. @param path where they stand */
export function ruleProblems(rules: readonly Rule[], path: string): string[] {
  return rules.flatMap((rule, index) =>
    [...rule.problems, ...targetProblems(rule.spec)].map(
      (problem) => `${path}[${index}] (${describeTarget(rule.spec.target)}): ${problem}`,
    ),
  );
}

/** Only for kinds of Kubernetes itself, by their group: where others live, the cluster alone knows. */
function targetProblems({ target }: HealthRule): string[] {
  if (target.namespace === undefined || builtInScope(target.group, target.kind) !== 'Cluster') return [];
  return [`target.namespace: a ${target.kind} has no namespace: leave it out`];
}

/** The first rule that is for an object decides, so that one behind a wider one never does. */
function shadowed(rules: readonly Rule[], path: string): string[] {
  return rules.flatMap(({ spec }, index) => {
    const wider = rules.slice(0, index).findIndex((before) => covers(before.spec.target, spec.target));
    if (wider < 0) return [];
    return [
      `${path}[${index}] (${describeTarget(spec.target)}) is never asked, since ${path}[${wider}] is for all that it is for: ` +
        'put it before that one, or remove it',
    ];
  });
}
