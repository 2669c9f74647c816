import { unsupportedFields } from '../../api/available.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import type { KubeObject } from '../../api/object.ts';
import type { Release, ReleaseSpec } from '../../api/release.ts';
import { annotationNameWarnings } from './annotationNames.ts';
import { localRuleProblems, localRuleWarnings } from './healthRules.ts';
import { hookProblems } from './hooks.ts';
import { reviewInline } from './inline.ts';
import { mutationProblems } from './mutations.ts';
import { type Review, reviewSchema } from './review.ts';
import { selectorProblems } from './selectors.ts';
import { waitWarnings } from './waits.ts';

/** As reviewObject, for a Release. */
export async function reviewRelease(release: KubeObject, namespace: string): Promise<Review> {
  const { problems } = await reviewSchema(release);
  const warnings = annotationNameWarnings(release.metadata, 'Release');
  // What is of the wrong type cannot be read any further.
  if (problems.length > 0) return { problems, warnings };
  return reviewFields(release as Release, namespace, warnings);
}

function reviewFields(release: Release, namespace: string, warnings: readonly string[]): Review {
  const { spec } = release;
  const ofFields = [...selectorProblems(spec), ...mutationProblems(spec.mutations ?? [])];
  // What is wrong with the mutations themselves is told once.
  const inline = reviewInline(release, namespace, ofFields.length === 0 ? spec.mutations : []);
  return {
    problems: [
      ...unsupportedFields(spec),
      ...ofFields,
      ...localRuleProblems(spec),
      ...hookProblems(spec),
      ...inline.problems,
    ],
    warnings: [
      ...warnings,
      ...localRuleWarnings(spec),
      ...waitWarnings(spec, inline.plan),
      ...rollbackWarnings(spec),
      ...inline.warnings,
    ],
  };
}

function rollbackWarnings({ failurePolicy, syncPolicy }: ReleaseSpec): string[] {
  const { rollback = DEFAULTS.rollback } = failurePolicy ?? {};
  if (rollback === DEFAULTS.rollback || syncPolicy?.prune?.orphaned === true) return [];
  return [
    `spec.failurePolicy.rollback: after a rollback (${rollback}) the objects that only the failed render has stay: ` +
      'set spec.syncPolicy.prune.orphaned: true to have them removed',
  ];
}
