import { ALLOW_EMPTY, MANAGED_BY, MANAGED_BY_LABEL } from '../../api/annotations.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { describe } from '../../api/object.ts';
import { ownerLabels } from '../../api/ownership.ts';
import type { Release } from '../../api/release.ts';
import type { FetchedVariables } from '../source/variables.ts';
import type { SourceFile, TextFile } from './files.ts';
import type { OwnerLabels, RenderJob, RenderResult, RenderSource } from './job.ts';
import type { Scope } from './types.ts';

/** What a Release is rendered from. */
export interface RenderInput {
  /** The files of its source, or manifests in their place, of which `content.path` says nothing. */
  source: { files: SourceFile[] } | { texts: readonly TextFile[] };
  variables: FetchedVariables;
}

/**
 * The render that a Release asks for.
 * @param scopes `scopesOf` what the cluster serves
 */
export function renderJobOf(release: Release, input: RenderInput, scopes: Map<string, Scope>): RenderJob {
  const { targetNamespace, mutations = [] } = release.spec;
  const { source, variables } = input;
  return {
    source: sourceOf(release, source),
    targetNamespace: targetNamespace ?? release.metadata.namespace ?? '',
    mutations,
    variables: variables.values,
    secret: variables.secret,
    allowEmpty: release.metadata.annotations?.[ALLOW_EMPTY] === 'true',
    scopes,
    labels: labelsFor(release),
  };
}

/** The labels of what a Release applies. */
export function labelsFor(release: Release): OwnerLabels {
  return { always: ownerLabels(release), defaults: { [MANAGED_BY_LABEL]: MANAGED_BY } };
}

function sourceOf({ spec }: Release, source: RenderInput['source']): RenderSource {
  if ('texts' in source) return source;
  const { path = DEFAULTS.contentPath, type = DEFAULTS.contentType } = spec.content ?? {};
  return { files: source.files, content: { path, type } };
}

/** `group/kind` of each type with its scope. */
export function scopesOf(
  served: readonly { group: string; kind: string; namespaced: boolean }[],
): Map<string, Scope> {
  return new Map(
    served.map(({ group, kind, namespaced }) => [`${group}/${kind}`, namespaced ? 'Namespaced' : 'Cluster']),
  );
}

/** Kubernetes' own groups: no CRD brings a kind of theirs. */
const BUILT_IN = /^([a-z]*|(?!gateway\.|snapshot\.|metrics\.)[^.]*\.k8s\.io)$/;
/** Objects that the message names at most. */
const NAMED = 10;

/** @returns a message where a render has kinds that the cluster does not know, and no operator can bring */
export function unknownKindsProblem({ unknown }: Pick<RenderResult, 'unknown'>): string | undefined {
  const lines = unknown
    .filter(({ key }) => BUILT_IN.test(key.group))
    .map(
      ({ key, apiVersion }) =>
        `${describe(key)}: the cluster has no kind ${key.kind} in ${apiVersion} – correct apiVersion and kind`,
    );
  return lines.length === 0 ? undefined : lines.slice(0, NAMED).join('\n');
}
