import { describe, expect, it } from 'vitest';
import { RULES_LABEL } from '../../../api/annotations.ts';
import { HEALTH_STATES } from '../../../api/healthRules.ts';
import { reviewObject } from '../../../engine/admission/reviewObject.ts';
import { assess } from '../../../engine/health/assess.ts';
import type { Rule } from '../../../engine/health/rules/rule.ts';
import { rulesOfSet, selectedSets } from '../../../engine/health/rules/ruleSets.ts';
import { describeTarget } from '../../../engine/health/rules/target.ts';
import { caseFolders, type HealthCase, loadFamilies } from './healthCases.ts';

const NOW = new Date('2026-12-02T12:00:00Z');
const DEFAULT = { matchLabels: { [RULES_LABEL]: 'default' } };

const families = loadFamilies();
const sets = families.flatMap((family) => family.sets);
/** As a Release has them that selects all that Convoy ships. */
const all = selectedSets(sets, DEFAULT).flatMap(rulesOfSet);
const ruleOf = ({ object }: HealthCase) => all.find((rule) => rule.isFor(object));

it('is tested with rule sets and with cases', () => {
  expect(families.length).toBeGreaterThan(0);
  expect(families.flatMap(({ cases }) => cases).length).toBeGreaterThan(0);
});

it('has a family for each folder of cases', () => {
  expect(caseFolders().filter((folder) => !families.some(({ name }) => name === folder))).toEqual([]);
});

it('has rule sets that all differ in name and are selected by default', () => {
  const names = sets.map(({ metadata }) => metadata.name);
  expect(new Set(names).size).toBe(names.length);
  expect(selectedSets(sets, DEFAULT)).toHaveLength(sets.length);
});

describe.each(families.map((family) => [family.name, family] as const))('%s', (_, family) => {
  const own = new Set(family.sets.map(({ metadata }) => metadata.name));
  const rules = all.filter((rule) => [...own].some((name) => rule.where.endsWith(` of ${name}`)));

  it('is what the webhook lets in, without a warning', async () => {
    for (const set of family.sets)
      expect(await reviewObject(set, ''), set.metadata.name).toEqual({ problems: [], warnings: [] });
  });

  it.each(family.cases.map((one) => [`${one.file}: ${one.name}`, one] as const))('%s', (_title, one) => {
    expect(one.name, 'the annotation test-case').not.toBe('');
    expect(HEALTH_STATES, 'the annotation test-state').toContain(one.state);
    expect(own, 'the rule set that decides').toContain(ruleOf(one)?.where.replace(/^.* of /, ''));
    const answer = assess(one.object, NOW, {}, all);
    expect(answer).toMatchObject({ state: one.state });
    expect(answer.message).toContain(one.message);
  });

  it('names each case of a file once', () => {
    const names = family.cases.map(({ file, name }) => `${file}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(rules.map((rule) => [describeTarget(rule.spec.target), rule] as const))(
    'has a case for each answer of %s',
    (_title, rule) => {
      const cases = family.cases.filter((one) => ruleOf(one) === rule);
      const states = new Set(cases.map(({ state }) => state));
      for (const state of answersOf(rule)) expect(states, 'states of its cases').toContain(state);
      expect(
        cases.filter(({ object }) => object['status'] === undefined).length,
        'cases without a status',
      ).toBeGreaterThan(0);
    },
  );
});

function answersOf({ spec }: Rule): string[] {
  return [
    ...(spec.degraded === undefined ? [] : ['Degraded']),
    ...(spec.progressing === undefined ? [] : ['Progressing']),
    ...(spec.healthy === undefined ? [] : ['Healthy']),
  ];
}
