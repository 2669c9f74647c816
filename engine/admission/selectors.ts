import type { ReleaseSpec } from '../../api/release.ts';
import { type Selector, selectorProblems as operatorProblems } from '../mutations/selector.ts';
import { keyProblem, labelValueProblem } from './labels.ts';

/**
 * Checks the label selectors of a spec, but for those of mutations.
 * @returns a message for each key, value or operator that Kubernetes would refuse
 */
export function selectorProblems({ source, healthAssessment }: ReleaseSpec): string[] {
  const selectors: Readonly<Record<string, Selector | undefined>> = {
    'spec.source.configMap.selector': source.configMap?.selector,
    'spec.healthAssessment.globalRuleSetSelector': healthAssessment?.globalRuleSetSelector,
    'spec.healthAssessment.report.podSelector': healthAssessment?.report?.podSelector,
  };
  return Object.entries(selectors).flatMap(([path, selector = {}]) =>
    [...operatorProblems(selector), ...keyAndValueProblems(selector, labelValueProblem)].map(
      (problem) => `${path}.${problem}`,
    ),
  );
}

/** @param valueProblem what is wrong with a value, if anything: those of annotations may be anything */
export function keyAndValueProblems(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  valueProblem: (value: string) => string | undefined,
): string[] {
  return [
    ...Object.entries(matchLabels).flatMap(([key, value]) =>
      placed('matchLabels', [keyProblem(key), valueProblem(value)]),
    ),
    ...matchExpressions.flatMap(({ key, values = [] }, index) =>
      placed(`matchExpressions[${index}]`, [keyProblem(key), ...values.map(valueProblem)]),
    ),
  ];
}

function placed(path: string, problems: readonly (string | undefined)[]): string[] {
  return problems.flatMap((problem) => (problem === undefined ? [] : [`${path}: ${problem}`]));
}
