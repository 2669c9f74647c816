/** Objects in waves, for a Release's source. */
import type { SyncStrategy } from '../../api/annotations.ts';

const PREFIX = 'convoy.kumodo.io/';

/** How the pods of a Deployment fare on the test's nodes: `crash`, `unready`, `image-pull`; absent: they become ready. */
export interface Fate {
  fail?: 'crash' | 'unready' | 'image-pull' | 'crash-later' | 'exit';
  /** Until a pod is ready, such as `2s`. */
  delay?: string;
}

export interface Place {
  wave: number;
  strategy?: SyncStrategy;
  timeout?: string;
}

function annotationsOf({ wave, strategy, timeout }: Place): Record<string, string> {
  return {
    [`${PREFIX}sync-wave`]: String(wave),
    ...(strategy === undefined ? {} : { [`${PREFIX}sync-strategy`]: strategy }),
    ...(timeout === undefined ? {} : { [`${PREFIX}sync-timeout`]: timeout }),
  };
}

export function configMapIn(place: Place, name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, annotations: annotationsOf(place) },
    data: { wave: String(place.wave) },
  };
}

export function deploymentIn(place: Place, name: string, { fail, delay }: Fate = {}, replicas = 1): object {
  const annotations = {
    ...(fail === undefined ? {} : { [`${PREFIX}test-fail`]: fail }),
    ...(delay === undefined ? {} : { [`${PREFIX}test-delay`]: delay }),
  };
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations: annotationsOf(place) },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }] },
      },
    },
  };
}

/** One source of several objects. */
export function sourceOf(...objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('---\n');
}
