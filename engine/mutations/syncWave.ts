import { SYNC_STRATEGY, SYNC_TIMEOUT, SYNC_WAVE } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';
import type { Mutation } from '../../api/release.ts';
import type { Change } from './change.ts';
import { targets } from './target.ts';

/**
 * Gives the annotations that the syncWave mutations among these write on an object (waves.md, axis A). Without a
 * timeout sync-timeout is not written, and one that stands there stays. Each mutation sees what those before it wrote.
 * The render and the admission webhook both take their annotations from here.
 * @returns by name of the annotation; empty where no mutation targets the object
 */
export function syncWaveAnnotations(
  object: KubeObject,
  mutations: readonly Mutation[],
): Record<string, string> {
  const written: Record<string, string> = {};
  for (const { target, waveStrategy } of mutations) {
    if (waveStrategy === undefined) continue;
    if (targets(target, withAnnotations(object, written)))
      Object.assign(written, annotationsOf(waveStrategy));
  }
  return written;
}

function annotationsOf({
  wave,
  strategy,
  timeout,
}: NonNullable<Mutation['waveStrategy']>): Record<string, string> {
  return {
    [SYNC_WAVE]: String(wave),
    [SYNC_STRATEGY]: strategy,
    ...(timeout === undefined ? {} : { [SYNC_TIMEOUT]: timeout }),
  };
}

function withAnnotations(object: KubeObject, written: Readonly<Record<string, string>>): KubeObject {
  const annotations = { ...object.metadata.annotations, ...written };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Writes the wave annotations of one mutation. */
export const setSyncWave: Change = (object, mutation, writer) => {
  const written = writer.write(syncWaveAnnotations(object, [mutation]));
  return withAnnotations(object, written);
};
