import { parseArgs } from 'node:util';
import { parsePositiveDuration } from '../api/duration.ts';
import { CONTROLLER_USER } from '../engine/admission/registration.ts';

export interface Options {
  kubeconfig: string | undefined;
  context: string | undefined;
  listen: { host: string; port: number };
  /** Of the Secret and the Service; undefined: that of the pod. */
  namespace: string | undefined;
  secretName: string;
  service: string;
  /** Further DNS names and IP addresses of the certificate. */
  hostnames: readonly string[];
  /** Others keep the certificate in the Secret, and the CA bundle in the configurations. */
  givenCertificates: boolean;
  /** Undefined: the configurations are not touched. */
  configurationName: string | undefined;
  controllerUser: string;
  certificateLifetimeMs: number;
  logLevel: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
/** Certificates tell time in seconds. */
const SHORTEST_LIFETIME_MS = 5_000;

export const USAGE = `convoy-webhook: refuses, warns and writes at admission

  --kubeconfig FILE            kubeconfig of the cluster; without it KUBECONFIG, else the cluster that this runs in
  --context NAME               context of the kubeconfig; without it its current one
  --listen HOST:PORT           address that it serves HTTPS on (default 0.0.0.0:8443)
  --namespace NAME             namespace of its Secret and Service (default: that of the pod, else convoy-system)
  --secret-name NAME           Secret that its replicas share certificates by (default convoy-webhook-tls)
  --service NAME               Service that the API server reaches it by (default convoy-webhook)
  --hostname NAME              further DNS name or IP address of the certificate; may be given several times
  --configuration-name NAME    name of both webhook configurations, which get its CA bundle (default convoy)
  --no-register                leave the webhook configurations alone
  --given-certificates         serve the certificate that others, such as cert-manager, keep in the Secret; the webhook
                               configurations are theirs too
  --controller-user NAME       identity of the controller, which is never refused
                               (default ${CONTROLLER_USER})
  --certificate-lifetime TIME  of a serving certificate, renewed after two thirds of it (default 2160h)
  --log-level LEVEL            ${LOG_LEVELS.join(', ')} (default info)
  --help                       this text
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
  if (values.help) return undefined;
  return {
    kubeconfig: values.kubeconfig,
    context: values.context,
    listen: addressOf(values.listen),
    namespace: values.namespace,
    secretName: values['secret-name'],
    service: values.service,
    hostnames: values.hostname,
    givenCertificates: values['given-certificates'],
    configurationName:
      values['no-register'] || values['given-certificates'] ? undefined : values['configuration-name'],
    controllerUser: values['controller-user'],
    certificateLifetimeMs: lifetimeOf(values['certificate-lifetime']),
    logLevel: levelOf(values['log-level']),
  };
}

function addressOf(listen: string): { host: string; port: number } {
  const [, host = '', port] = /^(\[[0-9a-fA-F:]+\]|[^:]+):(\d{1,5})$/.exec(listen) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`--listen ${listen}: it takes HOST:PORT, for example 127.0.0.1:8443`);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function lifetimeOf(lifetime: string): number {
  const ms = parsePositiveDuration(lifetime) ?? 0;
  if (ms < SHORTEST_LIFETIME_MS)
    throw new UsageError(
      `--certificate-lifetime ${lifetime}: it takes a duration of 5s or longer, such as 2160h`,
    );
  return ms;
}

function levelOf(level: string): string {
  if (!LOG_LEVELS.includes(level))
    throw new UsageError(`--log-level ${level}: it takes one of ${LOG_LEVELS.join(', ')}`);
  return level;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        kubeconfig: { type: 'string' },
        context: { type: 'string' },
        listen: { type: 'string', default: '0.0.0.0:8443' },
        namespace: { type: 'string' },
        'secret-name': { type: 'string', default: 'convoy-webhook-tls' },
        service: { type: 'string', default: 'convoy-webhook' },
        hostname: { type: 'string', multiple: true, default: [] },
        'configuration-name': { type: 'string', default: 'convoy' },
        'no-register': { type: 'boolean', default: false },
        'given-certificates': { type: 'boolean', default: false },
        'controller-user': { type: 'string', default: CONTROLLER_USER },
        'certificate-lifetime': { type: 'string', default: '2160h' },
        'log-level': { type: 'string', default: 'info' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
