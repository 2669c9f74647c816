import { KubeClient } from '../kube/client.ts';
import { connect, loadConfig } from '../kube/config.ts';
import { Discovery } from '../kube/discovery.ts';
import { EventRecorder } from '../kube/events.ts';
import type { Transport } from '../kube/transport.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { TargetCluster } from './cluster.ts';
import { Controller } from './controller.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { type Options, parseOptions, USAGE, UsageError } from './options.ts';
import { Renderer } from './render/renderer.ts';
import { serve } from './server.ts';
import { Renders } from './store/renders.ts';
import { SyncEndpoint } from './sync/endpoint.ts';

/** Runs the controller until SIGTERM or SIGINT, then drains. */
async function run(options: Options): Promise<void> {
  const log = createLog(options.logLevel);
  const metrics = createMetrics();
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => stop.abort(new Error(signal)));

  const transport = await connectTransport(options);
  const home = clusterOf(transport, log);
  const renderer = new Renderer();
  const renders = new Renders(options.renderStore, home.client);
  const events = new EventRecorder({
    client: home.client,
    reporter: {
      controller: 'convoy.kumodo.io/controller',
      instance: process.env['HOSTNAME'] ?? `convoy-${process.pid}`,
    },
    onError: (error) => {
      metrics.droppedEvents.inc();
      log.warn({ err: error }, 'an Event could not be written');
    },
  });
  const controller = new Controller({ home, renderer, renders, events, metrics, log, now: () => new Date() });
  const { server, url } = await serve(options.listen, {
    ready: () => controller.ready,
    registry: metrics.registry,
    sync: new SyncEndpoint({ client: home.client, log, now: () => new Date() }),
  });
  log.info({ url }, 'started');
  await controller.run(options.concurrency, stop.signal);
  server.close();
  server.closeAllConnections();
  await Promise.all([renderer.close(), transport.close()]);
  log.info('stopped');
}

async function connectTransport({ kubeconfig, context }: Options): Promise<Transport> {
  const config = await loadConfig({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    allowExec: true,
  });
  return connect(config, { userAgent: `convoy/${packageJson.version} (controller)` });
}

function clusterOf(transport: Transport, log: Log): TargetCluster {
  const client = new KubeClient(transport, {
    onWarning: (warning, request) => log.debug({ request }, warning),
  });
  return { name: 'local', client, discovery: new Discovery(transport) };
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(USAGE);
  else await run(options);
} catch (error) {
  process.stderr.write(`convoy-controller: ${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
