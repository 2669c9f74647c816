import type { ReleaseSpec } from '../../api/release.ts';
import { type Selector, selectorProblems as operatorProblems } from '../mutations/selector.ts';
import { keyProblem, labelValueProblem } from './labels.ts';

interface Place {
  path: string;
  selector: Selector | undefined;
  /** Values of annotations may be anything. */
  overAnnotations?: true;
}

/** @returns a message for each key, value or operator of the spec's selectors that Kubernetes would refuse */
export function selectorProblems(spec: ReleaseSpec): string[] {
  return places(spec).flatMap(({ path, selector = {}, overAnnotations }) =>
    [
      ...operatorProblems(selector),
      ...textProblems(selector, overAnnotations === true ? () => undefined : labelValueProblem),
    ].map((problem) => `${path}.${problem}`),
  );
}

function places({ source, healthAssessment, mutations = [] }: ReleaseSpec): Place[] {
  return [
    { path: 'spec.source.configMap.selector', selector: source.configMap?.selector },
    {
      path: 'spec.healthAssessment.globalRuleSetSelector',
      selector: healthAssessment?.globalRuleSetSelector,
    },
    { path: 'spec.healthAssessment.report.podSelector', selector: healthAssessment?.report?.podSelector },
    ...mutations.flatMap(({ target }, index): Place[] => {
      const path = `spec.mutations[${index}].target`;
      return [
        { path: `${path}.labelSelector`, selector: target?.labelSelector },
        { path: `${path}.annotationSelector`, selector: target?.annotationSelector, overAnnotations: true },
      ];
    }),
  ];
}

function textProblems(
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
