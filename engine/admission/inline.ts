import { ALLOW_EMPTY } from '../../api/annotations.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { describe, keyOf, type KubeObject } from '../../api/object.ts';
import type { Mutation, Release } from '../../api/release.ts';
import { hookProblems } from '../hooks/problems.ts';
import { invalidText } from '../plan/invalid.ts';
import { orderProblems } from '../plan/order.ts';
import { type Plan, planOf } from '../plan/plan.ts';
import { recordProblem } from '../plan/records.ts';
import { RenderError } from '../render/errors.ts';
import { selectFiles } from '../render/files.ts';
import { type Rendered, renderTexts } from '../render/render.ts';
import { builtInScope } from '../render/scopes.ts';
import { annotationNameWarnings } from './annotationNames.ts';
import type { Review } from './review.ts';

/** How the messages name the text. */
const FILE = 'spec.source.inline';

/** What a Release's inline source says, as far as it can be told without a cluster. */
export interface InlineReview extends Review {
  /** Undefined where there is none, or where only its content or the cluster can tell. */
  plan: Plan | undefined;
}

/**
 * Reads an inline source by the same code as the controller, so that what it would refuse is refused here.
 * @param namespace of the Release
 * @param mutations those of the Release that can be made
 */
export function reviewInline(
  release: Release,
  namespace: string,
  mutations: readonly Mutation[] = [],
): InlineReview {
  const { inline } = release.spec.source;
  if (inline === undefined || !isPlain(release)) return { problems: [], warnings: [], plan: undefined };
  try {
    return reviewObjects(release, rendered(release, inline, { namespace, mutations }));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { problems: error.message.split('\n'), warnings: [], plan: undefined };
  }
}

/** What other types of content, or variables, make of the text is known when it is rendered. */
function isPlain({ spec: { content = {} } }: Release): boolean {
  const { type = DEFAULTS.contentType, variables = {}, variablesFrom = [] } = content;
  return type === 'yaml' && Object.keys(variables).length === 0 && variablesFrom.length === 0;
}

function rendered(
  { metadata, spec }: Release,
  inline: string,
  { namespace, mutations }: { namespace: string; mutations: readonly Mutation[] },
): Rendered {
  selectFiles([{ path: 'inline.yaml', content: inline }], spec.content?.path ?? DEFAULTS.contentPath);
  return renderTexts([{ path: FILE, text: inline }], {
    targetNamespace: spec.targetNamespace ?? namespace,
    scopeOf: builtInScope,
    unknownKinds: 'keep',
    mutations,
    allowEmpty: metadata.annotations?.[ALLOW_EMPTY] === 'true',
  });
}

function reviewObjects(release: Release, { objects, unknown, warnings }: Rendered): InlineReview {
  const plan = planOf(objects, release.spec.syncPolicy?.defaultStrategy);
  const record = recordProblem(objects);
  return {
    problems: [
      ...(record === undefined ? [] : [record]),
      ...hookProblems(release, plan),
      ...orderProblems(ofKnownKinds(objects, unknown)),
    ],
    warnings: [
      ...warnings,
      ...plan.invalid.map(invalidText),
      ...objects.flatMap((object) =>
        annotationNameWarnings(object.metadata, 'rendered object', describe(keyOf(object))),
      ),
    ],
    plan,
  };
}

/** Where an object of a kind that nobody knows here lives, and so what it needs, only the cluster can tell. */
function ofKnownKinds(objects: readonly KubeObject[], unknown: readonly KubeObject[]): KubeObject[] {
  const left = new Set(unknown);
  return objects.filter((object) => !left.has(object));
}
