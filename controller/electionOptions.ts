import { formatDuration, parsePositiveDuration } from '../api/duration.ts';
import type { ElectionTimes } from '../kube/lease/election.ts';
import { UsageError } from './usage.ts';

/** How replicas agree on the one that acts. */
export interface ElectionOptions {
  namespace: string;
  times: ElectionTimes;
}

/**
 * client-go's defaults, shorter: a replica that died the moment after it had renewed is replaced within 15 s in all
 * (operations.md), and what takes over has to list first. In milliseconds.
 */
const DEFAULT_TIMES: ElectionTimes = {
  leaseDurationMs: 12_000,
  renewDeadlineMs: 8_000,
  retryPeriodMs: 2_000,
};
/** Where the install manifests put the controller, so that one that is run by hand waits for that one. */
const DEFAULT_NAMESPACE = 'convoy-system';

export const ELECTION_FLAGS = {
  'leader-elect': { type: 'string' },
  'leader-elect-namespace': { type: 'string' },
  'leader-elect-lease-duration': { type: 'string' },
  'leader-elect-renew-deadline': { type: 'string' },
  'leader-elect-retry-period': { type: 'string' },
} as const;

export const ELECTION_USAGE = `  --leader-elect[=false]
                       act only as the one replica that holds a Lease (default true)
  --leader-elect-namespace NAME
                       namespace of the Lease (default ${DEFAULT_NAMESPACE})
  --leader-elect-lease-duration, --leader-elect-renew-deadline, --leader-elect-retry-period TIME
                       how long others wait for a leader that is silent, how long one that cannot renew acts, and how
                       often it renews (default ${formatDuration(DEFAULT_TIMES.leaseDurationMs)}, ${formatDuration(DEFAULT_TIMES.renewDeadlineMs)}, ${formatDuration(DEFAULT_TIMES.retryPeriodMs)})
`;

type Values = { readonly [flag in keyof typeof ELECTION_FLAGS]?: string | undefined };

/** `--leader-elect` alone means true, as in the programs of Kubernetes. */
export function withBareFlag(args: readonly string[]): string[] {
  return args.map((arg) => (arg === '--leader-elect' ? '--leader-elect=true' : arg));
}

/**
 * @returns undefined where there is no election
 * @throws UsageError
 */
export function electionOf(values: Values): ElectionOptions | undefined {
  const { 'leader-elect': elect = 'true', 'leader-elect-namespace': namespace = DEFAULT_NAMESPACE } = values;
  if (elect !== 'true' && elect !== 'false')
    throw new UsageError(`--leader-elect ${elect}: it takes true or false`);
  const times = {
    leaseDurationMs: timeOf(values, 'leader-elect-lease-duration', DEFAULT_TIMES.leaseDurationMs),
    renewDeadlineMs: timeOf(values, 'leader-elect-renew-deadline', DEFAULT_TIMES.renewDeadlineMs),
    retryPeriodMs: timeOf(values, 'leader-elect-retry-period', DEFAULT_TIMES.retryPeriodMs),
  };
  if (times.leaseDurationMs % 1000 !== 0)
    throw new UsageError('--leader-elect-lease-duration: it takes whole seconds, such as 12s');
  if (times.leaseDurationMs <= times.renewDeadlineMs)
    throw new UsageError(
      '--leader-elect-lease-duration: it must be longer than --leader-elect-renew-deadline',
    );
  if (times.renewDeadlineMs <= times.retryPeriodMs)
    throw new UsageError('--leader-elect-renew-deadline: it must be longer than --leader-elect-retry-period');
  return elect === 'true' ? { namespace, times } : undefined;
}

function timeOf(values: Values, flag: keyof Values, otherwise: number): number {
  const text = values[flag];
  if (text === undefined) return otherwise;
  const ms = parsePositiveDuration(text);
  if (ms === undefined) throw new UsageError(`--${flag} ${text}: it takes a duration, such as 10s`);
  return ms;
}
