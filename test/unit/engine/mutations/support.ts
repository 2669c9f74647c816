import type { KubeObject } from '../../../../api/object.ts';
import type { Mutation } from '../../../../api/release.ts';
import { mutate } from '../../../../engine/mutations/mutate.ts';
import { Problems } from '../../../../engine/render/errors.ts';

/** A Deployment `web` in `shop`, in wave 3 with a timeout, but for what is given. */
export function deployment(metadata: Partial<KubeObject['metadata']> = {}, rest: object = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels: { app: 'web', tier: 'front' },
      annotations: { 'convoy.kumodo.io/sync-wave': '3', 'convoy.kumodo.io/sync-timeout': '9m' },
      ...metadata,
    },
    ...rest,
  };
}

/**
 * @returns the objects after the mutations
 * @throws RenderError where one cannot be made
 */
export function mutated(
  objects: readonly KubeObject[],
  mutations: readonly Mutation[],
  warnings: string[] = [],
): KubeObject[] {
  const problems = new Problems();
  const sources = objects.map((object, index) => ({ object, where: `f.yaml:${index + 1}` }));
  const made = mutate(sources, mutations, problems, warnings);
  problems.throwIfAny();
  return made.map(({ object }) => object);
}
