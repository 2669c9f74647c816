import type { KubeObject } from '../../api/object.ts';
import { KubeClient } from '../../kube/client.ts';
import { connect, loadConfig } from '../../kube/config.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector } from '../../kube/reflector.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';

const PODS = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true, verbs: [] };

interface Pod extends KubeObject {
  status?: { containerStatuses?: { state?: { waiting?: { reason?: string } } }[] };
}

/** Resolves when a pod of the shop crashes again and again. */
export async function untilCrash(kubeconfig: string, app: string, signal: AbortSignal): Promise<void> {
  const transport = connect(await loadConfig({ kubeconfig }), { userAgent: 'convoy-demo' });
  const stop = new AbortController();
  const crashed = Promise.withResolvers<undefined>();
  const scope = { namespace: 'shop', labelSelector: `app.kubernetes.io/name=${app}` };
  const reflector = new Reflector<Pod>(listWatchOf(new KubeClient(transport), PODS, scope), {
    onFault: ({ error }) => crashed.reject(error),
  });
  const look = (pod: Pod): void => {
    if (crashes(pod)) crashed.resolve(undefined);
  };
  reflector.addHandler({ onAdd: look, onUpdate: look });
  const running = reflector.run(stop.signal);
  try {
    await unlessAborted(crashed.promise, signal);
  } finally {
    stop.abort();
    await running;
    await transport.close();
  }
}

function crashes({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).some(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff');
}
