import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEvent } from '../controlplane/audit.ts';
import type { ControlPlane } from '../controlplane/controlPlane.ts';
import { isByConvoy } from '../support/auditOrder.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import type { Kill } from './killPlan.ts';

/** How long something takes, in milliseconds and in requests of the controller. */
export interface Length {
  ms: number;
  requests: number;
}

/** A controller that is killed and started again. */
export class MortalController {
  /** What was logged as an error. */
  readonly errors: string[] = [];
  readonly #plane: ControlPlane;
  #process: ControllerProcess;

  private constructor(plane: ControlPlane, process: ControllerProcess) {
    this.#plane = plane;
    this.#process = process;
  }

  static async start(plane: ControlPlane): Promise<MortalController> {
    return new MortalController(plane, await ControllerProcess.start(plane.kubeconfigPath));
  }

  /**
   * SIGKILL at each of the moments, and a new one once it is dead.
   * @param length what the moments are parts of
   * @param over when it aborts, what is left of the kills is done at once
   */
  async die(kills: readonly Kill[], length: Length, over: AbortSignal): Promise<void> {
    const audit = await this.#plane.auditTail();
    for (const { by, part } of kills) {
      await audit.read();
      if (by === 'time') await until(part * length.ms, over);
      else await audit.waitFor(1 + Math.floor(part * length.requests), isRequest, over);
      await this.#process.kill();
      this.#noteErrors();
      this.#process = await ControllerProcess.start(this.#plane.kubeconfigPath);
    }
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    this.#noteErrors();
  }

  #noteErrors(): void {
    for (const line of this.#process.log)
      if (line['level'] === 'error') this.errors.push(JSON.stringify(line));
  }
}

/** A request of a controller has reached the API server. */
export function isRequest(event: AuditEvent): boolean {
  return event.stage === 'RequestReceived' && isByConvoy(event);
}

/** The moment itself is what is tested. */
async function until(ms: number, over: AbortSignal): Promise<void> {
  if (!over.aborted) await Promise.race([delay(ms, undefined, { ref: false }), once(over, 'abort')]);
}
