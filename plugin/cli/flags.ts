import { parseDuration } from '../../api/duration.ts';
import { usageProblem } from './problem.ts';

export const OUTPUTS = ['table', 'wide', 'json', 'yaml', 'name'] as const;
export type Output = (typeof OUTPUTS)[number];
export const COLOURS = ['auto', 'always', 'never'] as const;
export type Colour = (typeof COLOURS)[number];

/** One flag as yargs is told of it; the names and letters are kubectl's. */
export interface FlagSpec {
  alias?: string;
  type: 'string' | 'boolean';
  /** May be given several times. */
  array?: boolean;
  choices?: readonly string[];
  /** What its value is called in the help. */
  value?: string;
  description: string;
}

export const FLAGS = {
  namespace: {
    alias: 'n',
    type: 'string',
    value: 'NAMESPACE',
    description: "Namespace; without it that of the kubeconfig's context",
  },
  'all-namespaces': { alias: 'A', type: 'boolean', description: 'All namespaces' },
  selector: { alias: 'l', type: 'string', value: 'SELECTOR', description: 'Only objects with these labels' },
  filename: {
    alias: 'f',
    type: 'string',
    array: true,
    value: 'FILE',
    description: 'File, folder, or - for the standard input; repeatable',
  },
  rules: {
    type: 'string',
    array: true,
    value: 'FILE',
    description: 'File or folder with GlobalHealthRuleSets, or with Releases that bring rules; repeatable',
  },
  output: {
    alias: 'o',
    type: 'string',
    value: 'FORMAT',
    choices: OUTPUTS,
    description: OUTPUTS.join(', '),
  },
  'no-headers': { type: 'boolean', description: 'Tables without their headings' },
  watch: { alias: 'w', type: 'boolean', description: 'Stay, and show each change' },
  force: {
    type: 'boolean',
    description: 'Start anew: Failed and RolledBack are cleared, the clocks of waves start again, no dry run',
  },
  wait: { type: 'boolean', description: 'Follow it until it is applied and ready, or has failed' },
  timeout: { type: 'string', value: 'TIME', description: 'With --wait: give up after this time; 10m' },
  logs: { type: 'boolean', description: 'With the last log lines of a container that fails' },
  live: { type: 'boolean', description: 'Against what is on the cluster: the default' },
  to: {
    type: 'string',
    value: 'RENDER',
    description: 'A render of the history: its number, or sha256: and at least 6 digits of its digest',
  },
  reason: { type: 'string', value: 'TEXT', description: 'Why, for those who come later' },
  client: { type: 'boolean', description: "Only the plugin's own version, without asking the cluster" },
  color: { type: 'string', value: 'WHEN', choices: COLOURS, description: COLOURS.join(', ') },
  context: { type: 'string', value: 'NAME', description: 'Context of the kubeconfig' },
  kubeconfig: { type: 'string', value: 'FILE', description: 'Kubeconfig file' },
  cluster: { type: 'string', value: 'NAME', description: 'Cluster of the kubeconfig' },
  user: { type: 'string', value: 'NAME', description: 'User of the kubeconfig' },
  as: { type: 'string', value: 'USER', description: 'Act as this user' },
  'as-group': {
    type: 'string',
    array: true,
    value: 'GROUP',
    description: 'With --as: as this group too; repeatable',
  },
  'request-timeout': {
    type: 'string',
    value: 'TIME',
    description: 'For one request, such as 10s; 0: no limit',
  },
} as const satisfies Record<string, FlagSpec>;

export type FlagName = keyof typeof FLAGS;

/** How the API server is reached: on every command, as with kubectl. */
export const CONNECTION_FLAGS: readonly FlagName[] = [
  'context',
  'kubeconfig',
  'cluster',
  'user',
  'as',
  'as-group',
  'request-timeout',
];

/** The flags as they were given; what was not given is undefined. */
export interface Flags {
  namespace: string | undefined;
  allNamespaces: boolean;
  selector: string | undefined;
  filenames: string[];
  /** Files of health rules. */
  rules: string[];
  output: Output;
  headers: boolean;
  watch: boolean;
  force: boolean;
  wait: boolean;
  /** Milliseconds. */
  timeoutMs: number | undefined;
  logs: boolean;
  live: boolean;
  to: string | undefined;
  reason: string | undefined;
  client: boolean;
  color: Colour;
  context: string | undefined;
  kubeconfig: string | undefined;
  cluster: string | undefined;
  user: string | undefined;
  as: string | undefined;
  asGroups: string[];
  /** Milliseconds; 0 is no limit. */
  requestTimeoutMs: number | undefined;
}

/**
 * Reads what yargs parsed. A flag that is given twice counts as it was given last, as with kubectl.
 * @throws CliProblem for a value that none of them takes
 */
export function readFlags(parsed: Readonly<Record<string, unknown>>): Flags {
  const text = (name: FlagName): string | undefined => listOf(parsed[name]).at(-1);
  const on = (name: FlagName): boolean => [parsed[name]].flat().at(-1) === true;
  return {
    namespace: text('namespace'),
    allNamespaces: on('all-namespaces'),
    selector: text('selector'),
    filenames: listOf(parsed['filename']),
    rules: listOf(parsed['rules']),
    output: choice('output', text('output'), OUTPUTS, 'table'),
    headers: !on('no-headers'),
    watch: on('watch'),
    force: on('force'),
    wait: on('wait'),
    timeoutMs: timeout(text('timeout')),
    logs: on('logs'),
    live: on('live'),
    to: text('to'),
    reason: text('reason'),
    client: on('client'),
    color: choice('color', text('color'), COLOURS, 'auto'),
    context: text('context'),
    kubeconfig: text('kubeconfig'),
    cluster: text('cluster'),
    user: text('user'),
    as: text('as'),
    asGroups: listOf(parsed['as-group']),
    requestTimeoutMs: requestTimeout(text('request-timeout')),
  };
}

function listOf(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === 'string');
}

function choice<T extends string>(
  flag: string,
  value: string | undefined,
  choices: readonly T[],
  absent: T,
): T {
  if (value === undefined) return absent;
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined)
    throw usageProblem(`--${flag} ${JSON.stringify(value)}`, `it takes ${choices.join(', ')}`);
  return chosen;
}

function requestTimeout(text: string | undefined): number | undefined {
  const milliseconds = timeOf(text);
  if (text !== undefined && milliseconds === undefined)
    throw usageProblem(
      `--request-timeout ${JSON.stringify(text)}`,
      'it takes a time such as 10s or 1m; 0 is no limit',
    );
  return milliseconds;
}

function timeout(text: string | undefined): number | undefined {
  const milliseconds = timeOf(text);
  if (text !== undefined && (milliseconds ?? 0) === 0)
    throw usageProblem(`--timeout ${JSON.stringify(text)}`, 'it takes a time over 0, such as 90s or 10m');
  return milliseconds;
}

/** As kubectl reads it: a duration, or a whole number of seconds. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : parseDuration(text);
}
