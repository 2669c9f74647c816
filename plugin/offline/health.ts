import { HEALTH, HEALTH_IGNORE } from '../../api/annotations.ts';
import { API_VERSION, GROUP } from '../../api/group.ts';
import type { GlobalHealthRuleSet, HealthState } from '../../api/healthRules.ts';
import { describe, groupOf, keyOf, type KubeObject, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { localRuleProblems } from '../../engine/admission/healthRules.ts';
import { reviewSchema } from '../../engine/admission/review.ts';
import { reviewObject } from '../../engine/admission/reviewObject.ts';
import { assess } from '../../engine/health/assess.ts';
import type { Rule } from '../../engine/health/rules/rule.ts';
import { localRules, rulesOfSet, selectedSets } from '../../engine/health/rules/ruleSets.ts';
import type { TextFile } from '../../engine/render/files.ts';
import { type SourceObject, toObjects } from '../../engine/render/objects.ts';
import { parseYaml } from '../../engine/render/yaml.ts';
import { CliProblem } from '../cli/problem.ts';

/** What one object is, and by which rule. */
export interface HealthReport extends ObjectKey {
  file: string;
  state: HealthState;
  message: string;
  /** `rules[2] of cert-manager`, `built-in`, or `ignored` by annotation. */
  rule: string;
}

/** Judges objects by rules without a cluster, by the same code as the controller: one report for each, in order. */
export function checkHealth(files: readonly TextFile[], rules: readonly Rule[], now: Date): HealthReport[] {
  return files.flatMap(({ path, text }) =>
    objectsIn({ path, text }).map(({ object }) => {
      const { state, message } = assess(object, now, {}, rules);
      return { file: path, ...keyOf(object), state, message, rule: decidedBy(object, rules) };
    }),
  );
}

function decidedBy(object: KubeObject, rules: readonly Rule[]): string {
  if (object.metadata.annotations?.[HEALTH] === HEALTH_IGNORE) return 'ignored';
  return rules.find((rule) => rule.isFor(object))?.where ?? 'built-in';
}

/** Problems that are told before they are only counted. */
const NAMED = 20;

/**
 * The rules in files, in the order in which a Release has them that selects all: its own, then the rule sets by name. What
 * is no kind of Convoy's is passed over, so that rules and objects can lie in one folder.
 * @throws CliProblem naming file, rule and what is wrong; also where files hold no rule at all
 */
export async function readRules(files: readonly TextFile[]): Promise<Rule[]> {
  const sources = files.flatMap(objectsIn).filter(({ object }) => groupOf(object.apiVersion) === GROUP);
  const problems = (await Promise.all(sources.map(problemsOf))).flat();
  refuse('the rules cannot be used', [...problems, ...namedTwice(sources)]);
  const objects = sources.map(({ object }) => object);
  const rules = [
    ...objects.filter(isRelease).flatMap(({ spec }) => localRules(spec.healthAssessment?.rules ?? [])),
    ...selectedSets(objects.filter(isRuleSet), {}).flatMap(rulesOfSet),
  ];
  if (files.length > 0 && rules.length === 0)
    refuse('there are no rules', ['the files hold no GlobalHealthRuleSet, and no Release with rules']);
  return rules;
}

function refuse(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const more = problems.length > NAMED ? [`and ${problems.length - NAMED} more`] : [];
  throw new CliProblem(what, {
    why: [...problems.slice(0, NAMED), ...more],
    hints: ['docs/health.md says what rules can be'],
  });
}

async function problemsOf({ object, where }: SourceObject): Promise<string[]> {
  const { problems } = isRelease(object)
    ? await reviewLocal(object)
    : ((await reviewObject(object, '')) ?? (await reviewSchema(object)));
  return problems.map((problem) => `${where}: ${describe(keyOf(object))}: ${problem}`);
}

/** Nothing but its rules is asked of a Release here. */
async function reviewLocal(release: Release): Promise<{ problems: string[] }> {
  const { problems } = await reviewSchema(release);
  return { problems: problems.length > 0 ? problems : localRuleProblems(release.spec) };
}

/** On a cluster there is one of each name. */
function namedTwice(sources: readonly SourceObject[]): string[] {
  const first = new Map<string, string>();
  return sources.flatMap(({ object, where }) => {
    if (!isRuleSet(object)) return [];
    const { name } = object.metadata;
    const before = first.get(name);
    first.set(name, before ?? where);
    return before === undefined ? [] : [`${where}: the rule set ${name} stands in ${before} too`];
  });
}

function isRuleSet(object: KubeObject): object is GlobalHealthRuleSet {
  return object.apiVersion === API_VERSION && object.kind === 'GlobalHealthRuleSet';
}

function isRelease(object: KubeObject): object is Release {
  return object.apiVersion === API_VERSION && object.kind === 'Release';
}

function objectsIn({ path, text }: TextFile): SourceObject[] {
  return toObjects(parseYaml(text, path), path);
}
