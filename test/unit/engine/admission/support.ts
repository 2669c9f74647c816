import { API_VERSION } from '../../../../api/group.ts';
import type { KubeObject } from '../../../../api/object.ts';
import { reviewObject } from '../../../../engine/admission/reviewObject.ts';
import type { Review } from '../../../../engine/admission/review.ts';

/** A ConfigMap as YAML, in its own document. */
export function document(name: string, annotations: Record<string, string> = {}): string {
  return [
    'apiVersion: v1',
    'kind: ConfigMap',
    `metadata: ${JSON.stringify({ name, annotations })}`,
    'data: {key: value}',
    '',
  ].join('\n');
}

export function documents(...texts: readonly string[]): string {
  return texts.join('---\n');
}

export function release(spec: object, annotations: Record<string, string> = {}): KubeObject {
  return {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata: { name: 'shop', namespace: 'apps', annotations },
    spec: { source: { inline: document('web') }, ...spec },
  };
}

/** What is said of a Release in the namespace apps. */
export async function reviewOf(spec: object, annotations: Record<string, string> = {}): Promise<Review> {
  const review = await reviewObject(release(spec, annotations), 'apps');
  if (review === undefined) throw new Error('a Release is reviewed');
  return review;
}
