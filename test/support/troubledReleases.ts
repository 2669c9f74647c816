import fc from 'fast-check';
import type { SyncStrategy } from '../../api/annotations.ts';
import { configMapIn, deploymentIn, type Fate, sourceOf } from './wavedObjects.ts';

/** What befalls the Deployment of one wave, and what the wave asks of the one before it. */
export interface WaveTrouble {
  fail: Exclude<Fate['fail'], 'exit'>;
  /** What helps: the pod recovers where it is, or a new version of the manifests. */
  mend: 'pod' | 'manifest';
  /** Until the pod gets on, well or not (ms). */
  delayMs: number;
  gate: { strategy: SyncStrategy; timeout?: string };
}

export interface TroubledRelease {
  namespace: string;
  name: string;
  waves: WaveTrouble[];
}

/** A wave that fails within its limit has to open all the same when it heals. */
const GATES: WaveTrouble['gate'][] = [
  { strategy: 'waitForHealthy' },
  { strategy: 'waitForHealthyWithTimeout', timeout: '5m' },
  { strategy: 'waitForHealthyWithTimeout', timeout: '1s' },
];

const TROUBLE: fc.Arbitrary<WaveTrouble> = fc.record({
  fail: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('crash', 'unready', 'image-pull', 'crash-later' as const) },
  ),
  mend: fc.constantFrom('pod', 'pod', 'manifest'),
  delayMs: fc.integer({ min: 0, max: 1_000 }),
  gate: fc.constantFrom(...GATES),
});

/**
 * Releases with troubles that the seed alone decides.
 * @param shape namespaces that the Releases are spread over, and how many waves each has
 */
export function troubledReleases(
  seed: number,
  { namespaces, releases, waves }: { namespaces: readonly string[]; releases: number; waves: number },
): TroubledRelease[] {
  const troubles = fc.array(TROUBLE, { minLength: waves, maxLength: waves });
  return fc.sample(troubles, { seed, numRuns: releases }).map((drawn, index) => ({
    namespace: namespaces[index % namespaces.length] ?? '',
    name: `release-${index}`,
    waves: drawn,
  }));
}

/** Of the Deployment and of the ConfigMap of a wave. */
export function nameInWave({ name }: TroubledRelease, wave: number): string {
  return `${name}-wave-${wave}`;
}

/** The manifests, a Deployment and a ConfigMap for each wave. @param mended waves that are well in this version */
export function manifestsOf(release: TroubledRelease, mended: ReadonlySet<number> = new Set()): string {
  return sourceOf(
    ...release.waves.flatMap(({ fail, delayMs, gate }, wave) => {
      const name = nameInWave(release, wave);
      const fate: Fate = {
        delay: `${delayMs}ms`,
        ...(fail === undefined || mended.has(wave) ? {} : { fail }),
      };
      const place = { wave, ...gate };
      return [deploymentIn(place, name, fate), configMapIn(place, name)];
    }),
  );
}
