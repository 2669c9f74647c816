import { KubeClient } from '../kube/client.ts';
import { connect, loadConfig } from '../kube/config.ts';
import packageJson from '../package.json' with { type: 'json' };
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { type Options, parseOptions, USAGE, UsageError } from './options.ts';
import { Webhook } from './webhook.ts';

/** Where the install manifests put it. */
const DEFAULT_NAMESPACE = 'convoy-system';

/** Runs the webhook until SIGTERM or SIGINT, then drains. */
async function run(options: Options): Promise<void> {
  const log = createLog(options.logLevel);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => stop.abort(new Error(signal)));
  const { kubeconfig, context } = options;
  const config = await loadConfig({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    allowExec: true,
  });
  const transport = connect(config, { userAgent: `convoy/${packageJson.version} (webhook)` });
  const webhook = new Webhook({
    client: new KubeClient(transport),
    options,
    namespace: options.namespace ?? config.namespace ?? DEFAULT_NAMESPACE,
    metrics: createMetrics(),
    log,
    now: () => new Date(),
  });
  await webhook.run(stop.signal);
  await transport.close();
  log.info('stopped');
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(USAGE);
  else await run(options);
} catch (error) {
  process.stderr.write(`convoy-webhook: ${error instanceof Error ? error.message : String(error)}\n`);
  // Behind fifty lines of flags nobody finds what is wrong.
  if (error instanceof UsageError) process.stderr.write('all flags: --help\n');
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
