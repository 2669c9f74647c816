import { parseArgs } from 'node:util';
import { RENDER_STORES, type RenderStoreName } from './store/renders.ts';

export interface Options {
  kubeconfig: string | undefined;
  context: string | undefined;
  /** `host:port` of `/healthz`, `/readyz`, `/metrics` and `/sync`. */
  listen: string;
  /** Releases that are reconciled at once. */
  concurrency: number;
  /** Where renders are kept. */
  renderStore: RenderStoreName;
  logLevel: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export const USAGE = `convoy-controller: keeps Releases applied

  --kubeconfig FILE    kubeconfig of the cluster; without it KUBECONFIG, else the cluster that this runs in
  --context NAME       context of the kubeconfig; without it its current one
  --listen HOST:PORT   address of /healthz, /readyz, /metrics and /sync (default 0.0.0.0:8080)
  --concurrency N      Releases reconciled at once (default 8)
  --render-store STORE where renders are kept to go back to: ${RENDER_STORES.join(' or ')} (default secrets)
  --log-level LEVEL    ${LOG_LEVELS.join(', ')} (default info)
  --help               this text
`;

/** A command line that cannot be used: its message says which flag, and what it takes. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * Reads the command line.
 * @returns undefined where help is asked for
 * @throws UsageError
 */
export function parseOptions(args: string[]): Options | undefined {
  const values = parse(args);
  if (values.help === true) return undefined;
  const concurrency = Number(values.concurrency ?? '8');
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256) {
    throw new UsageError(`--concurrency ${values.concurrency ?? ''}: it takes a whole number from 1 to 256`);
  }
  const listen = values.listen ?? '0.0.0.0:8080';
  if (!/^(\[[0-9a-fA-F:]+\]|[^:]+):\d{1,5}$/.test(listen))
    throw new UsageError(`--listen ${listen}: it takes HOST:PORT, for example 127.0.0.1:8080`);
  const logLevel = values['log-level'] ?? 'info';
  if (!LOG_LEVELS.includes(logLevel))
    throw new UsageError(`--log-level ${logLevel}: it takes one of ${LOG_LEVELS.join(', ')}`);
  const renderStore = RENDER_STORES.find((store) => store === (values['render-store'] ?? 'secrets'));
  if (renderStore === undefined)
    throw new UsageError(
      `--render-store ${values['render-store'] ?? ''}: it takes ${RENDER_STORES.join(' or ')}`,
    );
  return {
    kubeconfig: values.kubeconfig,
    context: values.context,
    listen,
    concurrency,
    renderStore,
    logLevel,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        kubeconfig: { type: 'string' },
        context: { type: 'string' },
        listen: { type: 'string' },
        concurrency: { type: 'string' },
        'render-store': { type: 'string' },
        'log-level': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
