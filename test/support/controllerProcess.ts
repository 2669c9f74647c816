import { afterAll, beforeAll } from 'vitest';
import { refuseCanary } from './canary.ts';
import { type Form, ProgramProcess } from './programProcess.ts';

/** The controller. */
export class ControllerProcess extends ProgramProcess {
  /** Starts it and waits until it listens. It acts at once, unless `--leader-elect` is among the flags. */
  static async start(
    kubeconfig: string,
    flags: readonly string[] = [],
    form: Form = 'source',
  ): Promise<ControllerProcess> {
    const args = ['--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', '--leader-elect=false'];
    return await new ControllerProcess('controller', [...args, ...flags], form).listening();
  }

  /** As Prometheus reads them. */
  async metrics(): Promise<string> {
    return await (await fetch(`${await this.url}/metrics`)).text();
  }

  override async stop(): Promise<number | null> {
    if (this.isRunning) refuseCanary('the metrics of the controller', await this.metrics());
    return await super.stop();
  }
}

/** Runs a controller for the tests of a file, from the first to the last. */
export function useController(
  cluster: { kubeconfigPath: string } | (() => { kubeconfigPath: string }),
  args: readonly string[] = [],
): () => ControllerProcess {
  let controller: ControllerProcess | undefined;
  beforeAll(
    async () =>
      (controller = await ControllerProcess.start(
        (typeof cluster === 'function' ? cluster() : cluster).kubeconfigPath,
        args,
      )),
  );
  afterAll(() => controller?.stop());
  return () => {
    if (controller === undefined) throw new Error('the controller is there while the tests of the file run');
    return controller;
  };
}
