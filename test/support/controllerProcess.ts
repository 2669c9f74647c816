import { afterAll, beforeAll } from 'vitest';
import { type Form, ProgramProcess } from './programProcess.ts';

/** The controller. */
export class ControllerProcess extends ProgramProcess {
  /** Starts it and waits until it listens. */
  static async start(
    kubeconfig: string,
    flags: readonly string[] = [],
    form: Form = 'source',
  ): Promise<ControllerProcess> {
    const args = ['--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0'];
    return await new ControllerProcess('controller', [...args, ...flags], form).listening();
  }
}

/** Runs a controller for the tests of a file, from the first to the last. */
export function useController(
  cluster: { kubeconfigPath: string } | (() => { kubeconfigPath: string }),
): () => ControllerProcess {
  let controller: ControllerProcess | undefined;
  beforeAll(
    async () =>
      (controller = await ControllerProcess.start(
        (typeof cluster === 'function' ? cluster() : cluster).kubeconfigPath,
      )),
  );
  afterAll(() => controller?.stop());
  return () => {
    if (controller === undefined) throw new Error('the controller is there while the tests of the file run');
    return controller;
  };
}
