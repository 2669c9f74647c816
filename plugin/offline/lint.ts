import { GROUP } from '../../api/group.ts';
import { describe, groupOf, keyOf, type KubeObject } from '../../api/object.ts';
import { annotationNameWarnings } from '../../engine/admission/annotationNames.ts';
import { type Review, reviewSchema } from '../../engine/admission/review.ts';
import { reviewObject } from '../../engine/admission/reviewObject.ts';
import { syncRequestProblem } from '../../engine/admission/syncRequest.ts';
import { invalidText } from '../../engine/plan/invalid.ts';
import { planOf } from '../../engine/plan/plan.ts';
import { RenderError } from '../../engine/render/errors.ts';
import type { TextFile } from '../../engine/render/files.ts';
import { type SourceObject, toObjects } from '../../engine/render/objects.ts';
import { parseYaml } from '../../engine/render/yaml.ts';

/** One thing to say of a file. */
export interface LintFinding {
  severity: 'error' | 'warning';
  /** File, and document where it has several. */
  where: string;
  /** Undefined where the file itself cannot be read. */
  object: string | undefined;
  message: string;
}

export interface LintReport {
  files: number;
  objects: number;
  findings: LintFinding[];
}

/**
 * What the admission webhook would say of the objects in files, without a cluster (admission.md): of Convoy's own kinds all
 * that it refuses and warns of, of others what their annotations ask of Convoy.
 * @param namespace of objects that have none
 */
export async function lint(files: readonly TextFile[], namespace: string): Promise<LintReport> {
  const report: LintReport = { files: files.length, objects: 0, findings: [] };
  for (const file of files) {
    const read = objectsIn(file);
    report.findings.push(...read.findings);
    report.objects += read.objects.length;
    for (const source of read.objects) report.findings.push(...(await findingsOf(source, namespace)));
  }
  return report;
}

/** A file that cannot be read hides no other one. */
function objectsIn({ path, text }: TextFile): { objects: SourceObject[]; findings: LintFinding[] } {
  try {
    return { objects: toObjects(parseYaml(text, path), path), findings: [] };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const findings = error.problems.map(({ where, what, remedy }) => ({
      ...{ severity: 'error' as const, where, object: undefined },
      message: `${what}: ${remedy}`,
    }));
    return { objects: [], findings };
  }
}

async function findingsOf({ object, where }: SourceObject, namespace: string): Promise<LintFinding[]> {
  const isOurs = groupOf(object.apiVersion) === GROUP;
  const { problems, warnings } = isOurs ? await reviewOurs(object, namespace) : reviewOther(object);
  const about = { where, object: describe(keyOf(object)) };
  return [
    ...problems.map((message) => ({ ...about, severity: 'error' as const, message })),
    ...warnings.map((message) => ({ ...about, severity: 'warning' as const, message })),
  ];
}

async function reviewOurs(object: KubeObject, namespace: string): Promise<Review> {
  const request = syncRequestProblem(object, undefined);
  const review =
    (await reviewObject(object, object.metadata.namespace ?? namespace)) ?? (await reviewSchema(object));
  return { ...review, problems: [...(request === undefined ? [] : [request]), ...review.problems] };
}

function reviewOther(object: KubeObject): Review {
  return {
    problems: [],
    warnings: [
      ...planOf([object], undefined).invalid.map(invalidText),
      ...annotationNameWarnings(object.metadata, 'rendered object'),
    ],
  };
}
