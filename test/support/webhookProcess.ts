import { ProgramProcess } from './programProcess.ts';

/** The admission webhook, but on loopback. */
export class WebhookProcess extends ProgramProcess {
  /** Starts it and waits until it listens. */
  static async start(kubeconfig: string, flags: readonly string[] = []): Promise<WebhookProcess> {
    const args = ['--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', '--hostname', '127.0.0.1'];
    return await new WebhookProcess('webhook', [...args, ...flags]).listening();
  }
}
