import { join } from 'node:path';
import { connect, loadConfig } from '../../kube/config.ts';
import type { Transport } from '../../kube/transport.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';

export interface BenchCluster {
  plane: ControlPlane;
  /** Of the bench itself, with a user agent that is not Convoy's. */
  transport: Transport;
  controller: ControllerProcess;
  /** Stops the controller and starts another one. */
  restart: () => Promise<ControllerProcess>;
}

/** Runs a measurement on a control plane of its own without nodes, with the controller as it ships, and ends both afterwards. */
export async function onBenchCluster<T>(
  say: (line: string) => void,
  measure: (cluster: BenchCluster) => Promise<T>,
  { audit = false } = {},
): Promise<T> {
  const plane = await startControlPlane({ kwok: false, audit, say });
  const stop: (() => Promise<unknown>)[] = [() => plane.stop()];
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const start = (): Promise<ControllerProcess> =>
      ControllerProcess.start(plane.kubeconfigPath, [], 'shipped');
    let controller = await start();
    stop.unshift(() => controller.stop());
    const config = await loadConfig({ kubeconfig: plane.kubeconfigPath });
    const transport = connect(config, { userAgent: 'bench' });
    stop.unshift(() => transport.close());
    const restart = async (): Promise<ControllerProcess> => {
      await controller.stop();
      return (controller = await start());
    };
    return await measure({ plane, transport, controller, restart });
  } finally {
    for (const end of stop) await end();
  }
}
