import { onTestFinished } from 'vitest';
import type { KubeObject } from '../../../api/object.ts';
import { KubeClient } from '../../../kube/client.ts';
import { connect as connectTo, loadConfig } from '../../../kube/config.ts';
import { type ListWatch, listWatchOf, type Scope } from '../../../kube/listWatch.ts';
import { Reflector, type ReflectorFault, type ReflectorOptions } from '../../../kube/reflector.ts';
import type { ApiResource } from '../../../kube/resource.ts';
import { FaultyProxy } from '../../support/faultyProxy.ts';

const CONFIG_MAPS: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: ['list', 'watch'],
};

/** What a reflector told, as `add a`, `update a 2` (the value of `data.n`), `delete a`. */
export interface Story {
  reflector: Reflector<KubeObject>;
  lines: string[];
  faults: ReflectorFault[];
  /** Waits until the last line is this one; the test's own time limit ends a wait in vain. */
  until: (line: string) => Promise<void>;
  /** Waits until the reflector has met one more fault. */
  untilFault: () => Promise<void>;
}

export interface Target {
  kubeconfigPath: string;
  /** Instead of the kubeconfig's address: `https://127.0.0.1:1234`. */
  server?: string;
}

/** Mirrors ConfigMaps of an API server until the test ends; resolves when it is in sync. */
export async function mirror(
  target: Target,
  scope: Scope,
  options: Partial<ReflectorOptions<KubeObject>> = {},
  spoil: (listWatch: ListWatch<KubeObject>) => ListWatch<KubeObject> = (listWatch) => listWatch,
): Promise<Story> {
  const config = await loadConfig({ kubeconfig: target.kubeconfigPath });
  const server = target.server === undefined ? {} : { server: target.server };
  const transport = connectTo({ ...config, ...server }, { userAgent: 'convoy/test (reflector)' });
  const faults: ReflectorFault[] = [];
  let told = Promise.withResolvers<undefined>();
  const wake = (): void => {
    told.resolve(undefined);
    told = Promise.withResolvers<undefined>();
  };
  const listWatch = spoil(listWatchOf(new KubeClient(transport), CONFIG_MAPS, scope));
  const reflector = new Reflector(listWatch, {
    onFault: (fault) => {
      faults.push(fault);
      wake();
    },
    backoff: { baseMs: 20, maxMs: 500 },
    ...options,
  });

  const lines: string[] = [];
  const tell = (line: string): void => {
    lines.push(line);
    wake();
  };
  reflector.addHandler({
    onAdd: ({ metadata }) => tell(`add ${metadata.name}`),
    onUpdate: (object) => tell(`update ${object.metadata.name} ${valueOf(object)}`),
    onDelete: ({ metadata }) => tell(`delete ${metadata.name}`),
  });

  const stop = new AbortController();
  const running = reflector.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
    await transport.close();
  });
  await reflector.synced;
  return {
    reflector,
    lines,
    faults,
    until: async (line) => {
      while (lines.at(-1) !== line) await told.promise;
    },
    untilFault: async () => {
      const before = faults.length;
      while (faults.length === before) await told.promise;
    },
  };
}

export function valueOf(object: KubeObject): string {
  const data = object['data'] as Record<string, string> | undefined;
  return data?.['n'] ?? '';
}

/** A proxy before an API server that ends with the test. */
export async function useFaultyProxy(port: number, cutAfterBytes?: number): Promise<FaultyProxy> {
  const proxy = await FaultyProxy.start(port, cutAfterBytes);
  onTestFinished(() => proxy.close());
  return proxy;
}
