import { RELEASE_LABEL, RELEASE_NAMESPACE_LABEL } from '../../api/annotations.ts';
import { FIELD_MANAGER } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import type { Mutation } from '../../api/release.ts';
import { syncWaveAnnotations } from '../../engine/mutations/syncWave.ts';
import type { AdmissionRequest } from '../review/admissionReview.ts';
import type { WantedAnnotations } from './jsonPatch.ts';

/** Finds a Release by what labels name it by. */
export interface ReleasesByLabels {
  byLabels: (namespace: string, name: string) => { mutations: readonly Mutation[] } | undefined;
}

/**
 * The wave annotations that the syncWave mutations of a Release write on an object that names it by its labels, by the
 * function that renders them (admission.md). What Convoy applies has them already, and what a controller makes for an
 * owner (a Service's EndpointSlices carry its labels) nobody has applied.
 */
export function waveAnnotations(
  { object, fieldManager }: AdmissionRequest,
  releases: ReleasesByLabels,
): WantedAnnotations {
  if (object === undefined || fieldManager === FIELD_MANAGER || isOwned(object)) return {};
  return syncWaveAnnotations(object, mutationsFor(object, releases));
}

function mutationsFor({ metadata }: KubeObject, releases: ReleasesByLabels): readonly Mutation[] {
  const { labels = {}, namespace = '' } = metadata;
  const name = labels[RELEASE_LABEL];
  if (name === undefined) return [];
  return releases.byLabels(labels[RELEASE_NAMESPACE_LABEL] ?? namespace, name)?.mutations ?? [];
}

function isOwned({ metadata: { ownerReferences = [] } }: KubeObject): boolean {
  return ownerReferences.some(({ controller }) => controller === true);
}
