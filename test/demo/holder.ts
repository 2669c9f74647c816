import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Watchdog } from '../controlplane/watchdog.ts';
import { startControlPlane } from '../controlplane/controlPlane.ts';
import type { ControlPlane } from '../controlplane/controlPlane.ts';
import { type ControllerProcess, startController } from './controllerProcess.ts';
import type { Answer, Request } from './messages.ts';

// Holds the cluster of the demo, in a process of its own so that the cluster can outlive the demo (KEEP=1). Unless it is
// told to keep it, it ends everything as soon as the demo is gone, however that went.

const folder = process.argv[2] ?? '';
let plane: ControlPlane | undefined;
let controller: ControllerProcess | undefined;
let isKept = false;
let isEnding = false;

await mkdir(folder, { recursive: true });
const watchdog = new Watchdog(folder);

function answer(message: Answer): void {
  if (process.connected) process.send?.(message);
}

function fail(error: unknown): void {
  if (!isEnding) answer({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}

async function startKubernetes(): Promise<void> {
  plane = await startControlPlane({ say: (line) => answer({ type: 'say', line }) });
  const { kubeconfigPath: kubeconfig, binDir, url } = plane;
  answer({ type: 'kubernetes', kubeconfig, binDir, url });
}

async function runController(): Promise<void> {
  if (plane === undefined) throw new Error('the controller needs the cluster first');
  const log = join(folder, 'controller.log');
  controller = await startController({ kubeconfig: plane.kubeconfigPath, log, watchdog });
  controller.ended.catch(fail);
  answer({ type: 'controller', url: controller.url, log });
}

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  if (plane === undefined) endGroup();
  await controller?.stop();
  await watchdog.finish();
  await plane?.abandon();
  process.exit(0);
}

/** Ends this process and the build that it runs; what else has been started ends with it by watchdogs. */
function endGroup(): void {
  process.removeAllListeners('SIGTERM');
  process.kill(-process.pid, 'SIGTERM');
}

const HANDLERS: Readonly<Record<Request, () => void>> = {
  startKubernetes: () => void startKubernetes().catch(fail),
  startController: () => void runController().catch(fail),
  keep: () => void (isKept = true),
  stop: () => void end(),
};

process.on('message', (request: Request) => HANDLERS[request]());
process.on('disconnect', () => {
  if (!isKept) void end();
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end());
// Once kept, nothing but this holds the process.
setInterval(() => undefined, 2 ** 30);
