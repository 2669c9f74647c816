import type { ReleaseSpec } from '../../api/release.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { writesOfConvoy } from './auditOrder.ts';
import { firstAvailable } from './gateOrder.ts';
import { configMapIn, deploymentIn, sourceOf } from './wavedObjects.ts';

/** Releases of one Cluster, so many in each of its waves, and the namespace there that all of them apply to. */
export interface WavedCluster {
  cluster: string;
  targetNamespace: string;
  waves: number;
  perWave: number;
}

/** A Release of one cluster wave, with a Deployment and a ConfigMap of its name. */
export interface WavedRelease {
  name: string;
  wave: number;
  spec: ReleaseSpec;
}

/** How one wave came after all waves before it, in seconds since 1970. */
export interface WaveTurn {
  wave: number;
  /** The first apply of an object of it. */
  begun: number;
  /** The last Deployment of a lower wave was available. */
  ready: number;
}

/**
 * Releases in the order in which they are to be created: who comes later waits for those that exist.
 * @param delay until a pod is ready, such as `1s`
 */
export function wavedReleases(
  { cluster, targetNamespace, waves, perWave }: WavedCluster,
  delay: string,
): WavedRelease[] {
  return Array.from({ length: waves * perWave }, (_, index) => {
    const wave = Math.floor(index / perWave);
    const name = `${cluster}-${wave}-${index % perWave}`;
    const inline = sourceOf(deploymentIn({ wave: 0 }, name, { delay }), configMapIn({ wave: 0 }, name));
    const spec: ReleaseSpec = {
      source: { inline },
      clusterRef: { name: cluster },
      targetNamespace,
      healthAssessment: {},
      syncPolicy: { waveStrategy: { wave, strategy: 'waitForHealthy' } },
    };
    return { name, wave, spec };
  });
}

/** When each wave but the first began and when those before it were ready, as the audit log of the cluster tells. */
export function turnsOf(
  events: readonly AuditEvent[],
  targetNamespace: string,
  releases: readonly WavedRelease[],
): WaveTurn[] {
  const available = firstAvailable(events);
  const writes = writesOfConvoy(events).filter(({ namespace }) => namespace === targetNamespace);
  const waves = [...new Set(releases.map(({ wave }) => wave))].sort((a, b) => a - b);
  return waves.slice(1).map((wave) => {
    const own = new Set(releases.filter((release) => release.wave === wave).map(({ name }) => name));
    const before = releases.filter((release) => release.wave < wave);
    const begun = Math.min(...writes.filter(({ name }) => own.has(name)).map(({ at }) => at));
    const ready = Math.max(
      ...before.map(({ name }) => available.get(`${targetNamespace}/${name}`) ?? Infinity),
    );
    return { wave, begun, ready };
  });
}

/** How often Convoy applied or deleted each object in a namespace, by `resource/name`. */
export function writesByObject(
  events: readonly AuditEvent[],
  targetNamespace: string,
): Record<string, number> {
  const writes = writesOfConvoy(events).filter(({ namespace }) => namespace === targetNamespace);
  const byObject = Map.groupBy(writes, ({ resource, name }) => `${resource}/${name}`);
  return Object.fromEntries([...byObject].map(([id, of]) => [id, of.length]));
}
