import type { ReleaseSpec } from '../../api/release.ts';
import { keyProblem, labelValueProblem } from './labels.ts';

type Selector = NonNullable<NonNullable<ReleaseSpec['healthAssessment']>['globalRuleSetSelector']>;
type Requirement = NonNullable<Selector['matchExpressions']>[number];

interface Place {
  path: string;
  selector: Selector | undefined;
  /** Values of annotations may be anything. */
  overAnnotations?: true;
}

/** @returns a message for each key, value or operator of the spec's selectors that selects nothing or cannot be */
export function selectorProblems(spec: ReleaseSpec): string[] {
  return places(spec).flatMap(({ path, selector = {}, overAnnotations }) => {
    const valueProblem = overAnnotations === true ? () => undefined : labelValueProblem;
    return [
      ...Object.entries(selector.matchLabels ?? {}).flatMap(([key, value]) =>
        placed(`${path}.matchLabels`, [keyProblem(key), valueProblem(value)]),
      ),
      ...(selector.matchExpressions ?? []).flatMap((requirement, index) =>
        placed(`${path}.matchExpressions[${index}]`, [
          keyProblem(requirement.key),
          operatorProblem(requirement),
          ...(requirement.values ?? []).map(valueProblem),
        ]),
      ),
    ];
  });
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
        {
          path: `${path}.annotationSelector`,
          selector: target?.annotationSelector,
          overAnnotations: true,
        },
      ];
    }),
  ];
}

function operatorProblem({ key, operator, values = [] }: Requirement): string | undefined {
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues && values.length === 0) return `${operator} of ${key} has no values: add at least one`;
  if (!needsValues && values.length > 0)
    return `${operator} of ${key} takes no values: leave them out, or write In or NotIn`;
  return undefined;
}

function placed(path: string, problems: readonly (string | undefined)[]): string[] {
  return problems.flatMap((problem) => (problem === undefined ? [] : [`${path}: ${problem}`]));
}
