import { join } from 'node:path';
import { connect, loadConfig } from '../../kube/config.ts';
import type { Transport } from '../../kube/transport.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';

/** Runs a measurement on a control plane of its own without nodes, with the controller, and ends both afterwards. */
export async function onBenchCluster<T>(
  say: (line: string) => void,
  measure: (cluster: { plane: ControlPlane; transport: Transport }) => Promise<T>,
): Promise<T> {
  const plane = await startControlPlane({ kwok: false, say });
  const stop: (() => Promise<unknown>)[] = [() => plane.stop()];
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const controller = await ControllerProcess.start(plane.kubeconfigPath);
    stop.unshift(() => controller.stop());
    const config = await loadConfig({ kubeconfig: plane.kubeconfigPath });
    const transport = connect(config, { userAgent: 'convoy-bench' });
    stop.unshift(() => transport.close());
    return await measure({ plane, transport });
  } finally {
    for (const end of stop) await end();
  }
}
