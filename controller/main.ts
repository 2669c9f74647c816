import { KubeClient } from '../kube/client.ts';
import { connect, loadConfig } from '../kube/config.ts';
import type { ConnectionConfig } from '../kube/connection.ts';
import { Discovery } from '../kube/discovery.ts';
import { EventRecorder } from '../kube/events.ts';
import type { Fence } from '../kube/lease/term.ts';
import type { Transport } from '../kube/transport.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { TargetCluster } from './cluster.ts';
import { Controller } from './controller.ts';
import { createLog, type Log } from './log.ts';
import { Leadership } from './leadership.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type Options, parseOptions, USAGE } from './options.ts';
import { Renderer } from './render/renderer.ts';
import { serve } from './server.ts';
import { openStore } from './store/open.ts';
import { Renders } from './store/renders.ts';
import { SyncEndpoint } from './sync/endpoint.ts';
import { UsageError } from './usage.ts';

/** The Lease is renewed on connections of its own. */
const LEASE_CONNECTIONS = 2;

interface Shared {
  options: Options;
  renderer: Renderer;
  metrics: Metrics;
  log: Log;
}

const USER_AGENT = `convoy/${packageJson.version} (controller)`;

/** Runs the controller until SIGTERM or SIGINT, then drains. */
async function run(options: Options): Promise<void> {
  const shared = {
    options,
    renderer: new Renderer(),
    metrics: createMetrics(),
    log: createLog(options.logLevel),
  };
  const { log, metrics, renderer } = shared;
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => stop.abort(new Error(signal)));

  const config = await configOf(options);
  const transport = connect(config, { userAgent: USER_AGENT });
  const leaseTransport = connect(config, { userAgent: USER_AGENT, connections: LEASE_CONNECTIONS });
  const leadership = new Leadership({
    client: new KubeClient(leaseTransport),
    election: options.election,
    shard: options.shard,
    createController: (fence) => createController(transport, fence, shared),
    concurrency: options.concurrency,
    metrics,
    log,
  });
  const { server, url } = await serve(options.listen, {
    notReady: () => leadership.notReady,
    registry: metrics.registry,
    sync: new SyncEndpoint({ client: new KubeClient(transport), log, now: () => new Date() }),
  });
  log.info({ url, ...(options.shard.count === 1 ? {} : { shard: options.shard }) }, 'started');
  await leadership.run(stop.signal);
  server.close();
  server.closeAllConnections();
  await Promise.all([renderer.close(), transport.close(), leaseTransport.close()]);
  log.info('stopped');
}

async function configOf({ kubeconfig, context }: Options): Promise<ConnectionConfig> {
  return await loadConfig({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    allowExec: true,
  });
}

function createController(unfenced: Transport, fence: Fence, shared: Shared): Controller {
  const { options, renderer, metrics, log } = shared;
  const transport = fence(unfenced);
  const home = clusterOf(transport, options.namespace, log);
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
  const renders = new Renders(openStore(options.renderStore, home.client, USER_AGENT), home.client);
  return new Controller(
    { home, transport, renderer, renders, events, metrics, log, now: () => new Date() },
    {
      allowLoopbackClusters: options.allowLoopbackClusters,
      defaultServiceAccount: options.defaultServiceAccount,
      shard: options.shard,
      fence,
    },
  );
}

function clusterOf(transport: Transport, namespace: string | undefined, log: Log): TargetCluster {
  const client = new KubeClient(transport, {
    namespace,
    onWarning: (warning, request) => log.debug({ request }, warning),
  });
  return {
    name: 'local',
    client,
    watcher: client,
    discovery: new Discovery(transport),
    onlyNamespace: namespace,
  };
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(USAGE);
  else await run(options);
} catch (error) {
  process.stderr.write(`convoy-controller: ${error instanceof Error ? error.message : String(error)}\n`);
  // Behind fifty lines of flags nobody finds what is wrong.
  if (error instanceof UsageError) process.stderr.write('all flags: --help\n');
  // What failed may have left work behind that would keep the process alive.
  process.exit(error instanceof UsageError ? 2 : 1);
}
